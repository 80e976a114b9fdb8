"""The palette reads well on every ground, follows the setting, and icons take its colours."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from chat_archive.ui import theme as theme_module
from chat_archive.ui.resources import resource
from chat_archive.ui.theme import AGENTS_DARK, AGENTS_LIGHT, DARK, LIGHT, Theme


def _luminance(name: str) -> float:
    def part(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    color = QColor(name)
    return 0.2126 * part(color.redF()) + 0.7152 * part(color.greenF()) + 0.0722 * part(color.blueF())


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("table", [LIGHT, DARK], ids=["light", "dark"])
def test_text_colours_reach_contrast_on_every_ground(table: dict[str, str]) -> None:
    agents = AGENTS_LIGHT if table is LIGHT else AGENTS_DARK
    grounds = [table[name] for name in ("window", "base", "raised", "sel", "user", "code")]
    inks = [table[name] for name in ("text", "muted", "accent", "warning", "danger", "ok")]
    for ink in [*inks, *agents]:
        for ground in grounds:
            assert _contrast(ink, ground) >= 4.5, (ink, ground)
    for name in ("accent", "warning", "danger"):
        assert _contrast(table[name], table[f"{name}_soft"]) >= 4.5, name
    for name in ("match", "match_soft"):
        assert _contrast(table["text"], table[name]) >= 4.5, name
    assert _contrast(table["base"], table["accent"]) >= 4.5


def test_both_schemes_name_the_same_colours() -> None:
    assert set(LIGHT) == set(DARK)
    assert len(set(AGENTS_LIGHT)) == len(AGENTS_LIGHT) == len(AGENTS_DARK)


def test_a_change_of_scheme_and_size_is_announced_once(qtbot: QtBot, theme: Theme) -> None:
    seen: list[bool] = []
    theme.changed.connect(lambda: seen.append(theme.dark))
    theme.set_scheme("dark")
    theme.set_scheme("dark")
    assert seen == [True]
    assert theme.color("base").name() == DARK["base"]
    before = theme.font("text").pointSizeF()
    theme.set_text_scale(1.5)
    assert theme.font("text").pointSizeF() == pytest.approx(before * 1.5)
    theme.set_text_scale(400)
    assert theme.text_scale == 3.0
    theme.set_scheme("nonsense")
    assert theme.scheme == "system"


def test_icons_follow_the_scheme_and_a_missing_one_is_empty(theme: Theme) -> None:
    assert resource("icons", "search.svg").is_file()
    light = theme.icon("search").pixmap(20, 20).toImage()
    theme.set_scheme("dark")
    dark = theme.icon("search").pixmap(20, 20).toImage()
    assert not light.isNull()
    assert light != dark
    assert theme.icon("no-such-icon").isNull()


def test_resources_lie_below_one_folder() -> None:
    assert resource("icons").parent == resource()
    assert theme_module.resource is resource
