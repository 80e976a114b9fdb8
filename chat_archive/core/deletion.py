"""What a person chose for a deletion, and what that means for each response stored at a provider.

Plain data, kept with a trashed chat so that emptying the trash weeks later still does what was chosen then.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from chat_archive.core.provider import outbox
from chat_archive.core.provider.collect import StoredResponse
from chat_archive.core.provider.references import Reference, sharing_text

DELETE, KEEP, REMOVE = "delete", "keep", "remove"
ERASING, TRASHING = "erasing", "trashing"

KEPT_BY_CHOICE = "You chose to keep the responses of this chat at the provider."
STILL_THERE = "The chat was not erased, so its responses are kept."
BROUGHT_BACK = "The chat was brought back, so its responses are kept."


@dataclass(frozen=True, slots=True)
class DeleteChoices:
    """`provider` is "delete" or "keep", `tasks` "remove" or "keep", `cascade_when` "erasing" or "trashing".
    `overrule` deletes at the provider although the chat's own flag says no (D-77); `keep_shared` keeps responses that
    another chat, branch or backup refers to (D-64). With `consent` a person was told that responses are deleted at the
    provider and agreed, so that they are sent without another question; else they wait until a hand goes on."""

    for_good: bool = False
    provider: str = DELETE
    tasks: str = KEEP
    overrule: bool = False
    keep_shared: bool = True
    cascade_when: str = ERASING
    consent: bool = False

    def as_record(self) -> dict[str, object]:
        return asdict(self)


def choices_from(record: object) -> DeleteChoices:
    """The choices a trash record holds; what makes no sense there becomes the default, which keeps what is shared."""
    raw: Mapping[str, object] = record if isinstance(record, dict) else {}
    return DeleteChoices(
        for_good=raw.get("for_good") is True,
        provider=KEEP if raw.get("provider") == KEEP else DELETE,
        tasks=REMOVE if raw.get("tasks") == REMOVE else KEEP,
        overrule=raw.get("overrule") is True,
        keep_shared=raw.get("keep_shared") is not False,
        cascade_when=TRASHING if raw.get("cascade_when") == TRASHING else ERASING,
        consent=raw.get("consent") is True,
    )


Sharing = Callable[[StoredResponse], Sequence[Reference]]


def outbox_records(
    folder: str, gathered: outbox.Gathered, choices: DeleteChoices, sharing: Sharing, *, operation: str = ""
) -> list[dict[str, object]]:
    """The lines for the queue: every id, each with `decision` "delete" or "keep". The reason to keep is in `hold`, or
    in `shared` when others use it, which may end (D-64)."""
    consent = choices.consent and choices.provider == DELETE
    records = outbox.records_of(folder, gathered, consent=consent, even_shared=not choices.keep_shared)
    for record, response in zip(records, gathered.responses, strict=True):
        record["hold"] = own_reason(response, gathered.kept_because, choices)
        record["shared"] = "" if record["hold"] else _shared_reason(response, choices, sharing)
        record["decision"] = KEEP if record["hold"] or record["shared"] else DELETE
        if operation:
            record["op"] = operation
    return records


def hold_reason(response: StoredResponse, kept_because: str, choices: DeleteChoices, sharing: Sharing) -> str:
    """ "" when the response is to be deleted at the provider, else the sentence that says why not."""
    return own_reason(response, kept_because, choices) or _shared_reason(response, choices, sharing)


def own_reason(response: StoredResponse, kept_because: str, choices: DeleteChoices) -> str:
    """As `hold_reason`, whoever else uses it."""
    if not response.stored:
        return "Nothing is stored under this id."
    if choices.provider == KEEP:
        return KEPT_BY_CHOICE
    if kept_because and not choices.overrule:
        return kept_because
    return ""


def _shared_reason(response: StoredResponse, choices: DeleteChoices, sharing: Sharing) -> str:
    others = sharing(response) if choices.keep_shared else ()
    return f"Still used by {sharing_text(others)}, so it is kept." if others else ""


def withdrawn(records: Sequence[Mapping[str, object]], reason: str) -> list[dict[str, object]]:
    """The same lines with the decision taken back; the last line about an id of a chat counts."""
    return [{**record, "decision": KEEP, "hold": reason, "shared": ""} for record in records]
