"""A deletion plan as the JSON document of `delete --dry-run --json`. Instants in ISO 8601, unknown ones null."""

from __future__ import annotations

from datetime import datetime

from chat_archive.core.deletion import DeleteChoices
from chat_archive.core.operations.plan import DeletionPlan, PlannedChat, PlannedResponse
from chat_archive.core.provider.references import Reference
from chat_archive.core.scheduler_tasks import BoundTask

Json = dict[str, object]


def plan_json(plan: DeletionPlan, choices: DeleteChoices | None = None) -> Json:
    """Everything the impact sheet shows. With `choices` also what they would do."""
    document: Json = {
        "root": str(plan.root),
        "chats": [_chat(chat) for chat in plan.chats],
        "refused": [{"item": name, "text": text} for name, text in plan.refused],
        "total": {
            "chats": len(plan.chats),
            "size": plan.size,
            "files": plan.files,
            "backups": plan.backups,
            "tasks": len(plan.tasks),
            "responses_stored": len(plan.stored()),
            "responses_shared": len(plan.shared()),
            "responses_not_stored": plan.not_stored(),
        },
        "stored_at": [
            {"provider": provider or None, "model": model or None, "base": base or None, "responses": number}
            for provider, model, base, number in plan.places()
        ],
        "host_writes": plan.host_writes,
        "tasks_problem": plan.tasks_problem,
        "unread": plan.unread,
    }
    if choices is not None:
        document["choices"] = choices.as_record()
        document["responses_to_delete"] = plan.to_delete(choices)
    return document


def _chat(chat: PlannedChat) -> Json:
    return {
        "id": chat.id,
        "folder": chat.folder,
        "title": chat.title,
        "created_at": _iso(chat.created),
        "last_activity": _iso(chat.last_activity),
        "log_items": chat.log_items,
        "size": chat.size,
        "files": chat.files,
        "backups": chat.backups,
        "damaged": chat.damaged,
        "expires_at": _iso(chat.expires_at),
        "children": list(chat.children),
        "tasks": [_task(task) for task in chat.tasks],
        "responses": [_response(one) for one in chat.responses],
        "responses_complete": chat.complete,
        "responses_kept_because": chat.disabled,
        "referred_by": [_reference(one) for one in chat.referred_by],
        "live": chat.live,
        "remarks": list(chat.remarks),
    }


def _response(one: PlannedResponse) -> Json:
    response = one.response
    return {
        "id": response.id,
        "original": response.original,
        "provider": response.provider,
        "model_key": response.model_key,
        "base": response.base,
        "state": response.state,
        "stored": response.stored,
        "certain": response.certain,
        "shared_with": [_reference(other) for other in one.shared],
    }


def _reference(one: Reference) -> Json:
    return {"root": str(one.root), "folder": one.folder, "title": one.title, "place": one.place}


def _task(task: BoundTask) -> Json:
    return {"uuid": task.uuid, "name": task.name, "type": task.kind, "state": task.state, "when": task.when}


def _iso(when: datetime | None) -> str | None:
    return None if when is None else when.isoformat()
