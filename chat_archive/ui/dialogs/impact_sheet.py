"""The impact sheet: what goes with these chats, and three choices about it, each with a sentence.

It opens at once with what the list knows; `set_plans` brings the rest. Enter removes one chat to the trash at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import tzinfo

from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from chat_archive.core.deletion import DELETE, KEEP, REMOVE, TRASHING, DeleteChoices
from chat_archive.core.entities import ChatRow
from chat_archive.core.operations.plan import DeletionPlan
from chat_archive.ui.dialogs.impact_facts import known_facts, planned_facts, titles
from chat_archive.ui.dialogs.sheet import UNIT, Facts, Sheet, scrolled, sheet_button
from chat_archive.ui.dialogs.tick import Tick
from chat_archive.ui.dialogs.trash_question import MANY, set_apart
from chat_archive.ui.plain_text import ThemedLabel, breakable, shown
from chat_archive.ui.theme import Theme


class ImpactSheet(Sheet):
    """`choices` is what stands ticked. `remembered` are the defaults of the settings; what a chat makes impossible is
    shown off and explained, and does not change what is remembered."""

    def __init__(
        self,
        theme: Theme,
        rows: Sequence[ChatRow],
        remembered: DeleteChoices,
        days: int,
        parent: QWidget | None = None,
        *,
        zone: tzinfo | None = None,
    ) -> None:
        super().__init__(theme, "?", "?", parent, width=660)
        self._rows = list(rows)
        self._count = len(self._rows)
        self._days = days
        self._zone = zone
        self._remembered = remembered
        self._plans: Sequence[DeletionPlan] | None = None
        self.facts: Facts = known_facts(theme, self._rows, zone)
        page = QWidget()
        self._page = QVBoxLayout(page)
        self._page.setContentsMargins(0, 0, 0, 0)
        self._page.setSpacing(UNIT + 4)
        self._page.addWidget(self.facts)
        self._scroll = scrolled(page, self.tr("What goes, and three choices"), 0)
        self.body.addWidget(self._scroll, 1)
        self._add_toggles()
        self._add_buttons()
        self._refresh()

    # what is known

    @property
    def counting(self) -> bool:
        return self._plans is None

    @property
    def plans(self) -> tuple[DeletionPlan, ...]:
        """What was shown; empty when the person decided before it was counted."""
        return tuple(self._plans or ())

    def set_plans(self, plans: Sequence[DeletionPlan]) -> None:
        """The whole picture is there."""
        self._plans = list(plans)
        self._show(planned_facts(self.theme, self._plans, self._zone))
        self._refresh()

    def set_failed(self, text: str) -> None:
        """It could not be counted: said, and erasing stays impossible, since nobody knows what would go."""
        self._failure.setText(breakable(shown(text, 400)))
        self._failure.show()
        self._show(known_facts(self.theme, self._rows, self._zone, failed=True))
        self._refresh()

    @property
    def choices(self) -> DeleteChoices:
        provider = DELETE if self.provider.checked or self._overruled else KEEP
        if not self.provider.box.isEnabled() and not self._overruled:
            provider = self._remembered.provider
        tasks = REMOVE if self.tasks.checked else KEEP
        return replace(
            self._remembered,
            for_good=self.for_good.checked,
            provider=provider,
            tasks=tasks if self.tasks.box.isEnabled() else self._remembered.tasks,
            overrule=self._overruled,
            keep_shared=not (self.even_shared.checked and self.even_shared.box.isEnabled()),
        )

    @property
    def _overruled(self) -> bool:
        return self.overrule.checked and self.overrule.box.isEnabled()

    # making

    def _show(self, facts: Facts) -> None:
        old, self.facts = self.facts, facts
        self._page.replaceWidget(old, facts)
        old.setParent(None)
        old.deleteLater()

    def fit(self) -> None:
        """As high as all lines need; only what a small screen has no room for is scrolled to."""
        layout = self.layout()
        inner = self._scroll.widget()
        inside = inner.layout() if inner is not None else None
        if layout is None or inside is None:
            return
        inside.activate()
        margins = layout.contentsMargins()
        room = self.screen().availableGeometry().size()
        width = min(max(self._width, self.width()), room.width()) - margins.left() - margins.right()
        wanted = inside.totalHeightForWidth(width)
        self._scroll.setFixedHeight(0)
        layout.activate()
        rest = layout.totalHeightForWidth(width + margins.left() + margins.right())
        self._scroll.setFixedHeight(max(min(wanted, room.height() - rest), 12 * UNIT))
        super().fit()

    def _add_toggles(self) -> None:
        self._failure = ThemedLabel(self.theme, color="danger", wrap=True)
        self._failure.hide()
        self._page.addWidget(self._failure)
        self.to_trash = Tick(self.theme, QRadioButton())
        self.for_good = Tick(self.theme, QRadioButton())
        group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(3 * UNIT)
        for tick in (self.to_trash, self.for_good):
            group.addButton(tick.box)
            row.addWidget(tick, 1)
        self._page.addLayout(row)
        self.provider, self.overrule, self.even_shared, self.tasks = (Tick(self.theme, QCheckBox()) for _ in range(4))
        for tick, inset in ((self.provider, 0), (self.overrule, 3), (self.even_shared, 3), (self.tasks, 0)):
            tick.setContentsMargins(inset * UNIT, 0, 0, 0)
            self._page.addWidget(tick)
        (self.for_good if self._remembered.for_good else self.to_trash).box.setChecked(True)
        self.provider.box.setChecked(self._remembered.provider == DELETE)
        self.tasks.box.setChecked(self._remembered.tasks == REMOVE)
        for tick in (self.to_trash, self.for_good, self.provider, self.overrule, self.even_shared, self.tasks):
            tick.box.toggled.connect(lambda _on: self._refresh())

    def _add_buttons(self) -> None:
        self.proceed: QPushButton = sheet_button("", "primary")
        self._card: QFrame | None = None
        if self._count > MANY:
            warning = self.tr("This is more than a screenful: %Ln chats go at once.", "", self._count)
            self._card = set_apart(self.theme, warning, self.proceed)
            self.body.addWidget(self._card)
        self.cancel = self.add_button(self.tr("Cancel"))
        if self._card is None:
            self.footer.addWidget(self.proceed)
        self.cancel.clicked.connect(self.reject)
        self.proceed.clicked.connect(self.accept)

    # showing

    def _refresh(self) -> None:
        good = self.for_good.checked
        self._say_head(good)
        self._say_place()
        self._say_provider(good)
        self._say_tasks()
        action = self.tr("Erase %Ln chat(s) for good", "", self._count)
        if not good:
            action = self.tr("Move %Ln chat(s) to Trash", "", self._count)
        self.proceed.setText(action)
        self.proceed.setProperty("look", "danger" if good or self._card is not None else "primary")
        self.proceed.style().unpolish(self.proceed)
        self.proceed.style().polish(self.proceed)
        nothing_left = self._plans is not None and not any(plan.chats for plan in self._plans)
        self.proceed.setEnabled(not nothing_left and not (good and self.counting))
        self._set_enter(self.proceed if self._count == 1 and not good and self._card is None else self.cancel)
        if self.isVisible():
            self.fit()

    def _set_enter(self, button: QPushButton) -> None:
        """What Enter means changes with the choice; the focus stays where the person has it."""
        for other in (self.cancel, self.proceed):
            other.setDefault(other is button)
        if self.focusWidget() in (None, self.cancel, self.proceed):
            button.setFocus()

    def _say_head(self, good: bool) -> None:
        if good:
            title = self.tr("Erase %Ln chat(s) for good?", "", self._count)
            lead = self.tr(
                "(It goes|They go) now and cannot be brought back, only from a backup or an export of yours.",
                "",
                self._count,
            )
        else:
            title = self.tr("Move %Ln chat(s) to Trash?", "", self._count)
            stay = self.tr("(It stays|They stay) in the archive's trash until you empty it", "", self._count)
            if self._days > 0:
                kept = self.tr("%Ln day(s)", "", self._days)
                stay = self.tr("(It stays|They stay) in the archive's trash for {days}", "", self._count).format(
                    days=kept
                )
            back = self.tr("and (comes|come) back with Undo.", "", self._count)
            now = self.tr("Nothing is erased now, here or at the provider.")
            if self._remembered.cascade_when == TRASHING and self.provider.checked:
                now = self.tr("What is stored at the provider is deleted now, as your settings say.")
            lead = self.tr("{stay} {back} {now}", "three parts of one text").format(stay=stay, back=back, now=now)
        self.heading.setText(title)
        self.setWindowTitle(title.rstrip("?"))
        self.lead.setText(lead)

    def _say_place(self) -> None:
        self.to_trash.set_words(self.tr("Move to Trash"))
        self.to_trash.set_sentence(self.tr("can be undone"))
        self.for_good.set_words(self.tr("Delete for good"))
        counting = self.tr("cannot be undone; waits until all is counted")
        if not self._failure.isHidden():
            counting = self.tr("not possible, since it could not be counted what goes")
        self.for_good.set_sentence(counting if self.counting else self.tr("cannot be undone"))

    def _say_provider(self, good: bool) -> None:
        plans = self.plans
        stored = sum(len(plan.stored()) for plan in plans)
        kept = [chat for plan in plans for chat in plan.disabled]
        only_kept = bool(kept) and not any(
            plan.to_delete(DeleteChoices(provider=DELETE, keep_shared=False)) for plan in plans
        )
        shared = sum(len(plan.shared()) for plan in plans)
        number = sum(plan.to_delete(replace(self.choices, provider=DELETE)) for plan in plans)
        self.provider.set_words(self._provider_words(good, number))
        self.provider.set_usable(bool(self.counting or (stored and not only_kept)))
        sentences = [self.tr("One receipt for each; what fails is tried again.")]
        if not self.counting and not stored:
            sentences = [self.tr("Nothing of (it|them) is stored at a provider.", "", self._count)]
        elif kept and not self._overruled:
            named = self.tr("{chats} (says itself|say themselves) to keep them.", "", len(kept)).format(
                chats=titles(kept)
            )
            sentences = [named, shown(kept[0].disabled, 300)] if only_kept else [*sentences, named]
        if shared and not self.even_shared.checked:
            sentences.append(self.tr("%Ln that other chats use (is|are) kept.", "", shared))
        self.provider.set_sentence(" ".join(sentences))
        if only_kept and self.provider.checked:
            self._untick(self.provider)
        self.overrule.setHidden(not kept)
        self.overrule.set_usable(bool(kept) and (only_kept or self.provider.checked))
        self.overrule.set_words(self.tr("Delete those too that (the chat says|the chats say) to keep", "", len(kept)))
        self.overrule.set_sentence(self.tr("For this deletion only; the chat's own flag is not changed."))
        self.even_shared.setHidden(not shared)
        self.even_shared.set_words(self.tr("Delete the %Ln too that other chats still use", "", shared))
        self.even_shared.set_sentence(self.tr("Those chats can then no longer be continued from there."))
        self.even_shared.set_usable(bool(shared) and (self.provider.checked or self._overruled))

    def _provider_words(self, good: bool, number: int) -> str:
        now = good or self._remembered.cascade_when == TRASHING
        if self.counting or not number:
            return (
                self.tr("Also delete the responses stored at the provider")
                if now
                else self.tr("Also delete the responses stored at the provider when the trash is emptied")
            )
        if now:
            return self.tr("Also delete the %Ln response(s) stored at the provider", "", number)
        return self.tr("Also delete the %Ln response(s) stored at the provider when the trash is emptied", "", number)

    def _say_tasks(self) -> None:
        tasks = [task for plan in self.plans for task in plan.tasks]
        bound = max(len(tasks), 1)
        self.tasks.set_words(self.tr("Also remove the scheduled task(s) bound to (it|them)", "", bound))
        self.tasks.set_usable(self.counting or bool(tasks))
        if self.counting or tasks:
            text = self.tr("Without this (it runs|they run) again and (starts|start) a new chat.", "", bound)
        else:
            text = self.tr("No scheduled task is bound to (it|them).", "", self._count)
        self.tasks.set_sentence(text)

    @staticmethod
    def _untick(tick: Tick) -> None:
        tick.box.blockSignals(True)
        tick.box.setChecked(False)
        tick.box.blockSignals(False)
