"""What the invented chats say."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

from sample.chat import Chat, json_text
from sample.pictures import leaf_picture, page_picture, plum_picture

SUMMER = timezone(timedelta(hours=2))
OLD_ID = "3f7a1c52-9f0e-4a63-8a55-2f7d9be1c204"


def _at(month: int, day: int, hour: int, minute: int) -> datetime:
    zone = SUMMER if 4 <= month <= 10 else timezone(timedelta(hours=1))
    return datetime(2026, month, day, hour, minute, 0, 120_000, tzinfo=zone)


def _journal() -> str:
    lines = ["-- Journal begins at Mon 2026-06-15 00:00:04 CEST. --"]
    for number in range(170):
        moment = datetime(2026, 6, 24, 0, 0, tzinfo=UTC) + timedelta(minutes=55 * number)
        drift = 0.09 * number * 55 * 60 / 100
        level = 212 + round(95 * ((number * 55 % 745) / 372.5 - 1) ** 2)
        lines.append(
            f"{moment:%b %d %H:%M:%S} harbour-gauge gauge[412]: level={level} cm battery=3.{70 + number % 9} V "
            f"clock_offset={-drift:+.1f} s"
        )
    return "\n".join(lines) + "\n"


def tide_gauge() -> Chat:
    chat = Chat("Tide4Gau", "Tide gauge keeps drifting", _at(7, 1, 9, 30), ("agent0", "developer", "researcher"))
    chat.project("harbour", "Harbour", "#2458b8")
    chat.wait(2).user("Why does the tide gauge lose nine minutes a week, and can you fix the logger?")
    chat.wait(1)
    chat.item("util", "1 memory found", "", {"query": "tide gauge", "memories": "The gauge runs on a Pi Zero."})
    chat.wait(4).think(
        0,
        "Reading the gauge's own journal",
        ["Nine minutes a week are about 0.09 %.", "A clock that slow is rarely the network. I look at the journal."],
        "code_execution_tool",
        {"runtime": "terminal", "session": 0, "code": "journalctl -u gauge --since -7d"},
    )
    chat.wait(11).ran(0, 0, "terminal", "journalctl -u gauge --since -7d", _journal())
    chat.wait(5).think(
        0,
        "Handing the logger to a developer",
        ["The offset grows in a straight line.", "The logger trusts the clock chip and never asks a time server."],
        "call_subordinate",
        {"profile": "developer", "message": "Correct the logger's clock and prove it.", "reset": "true"},
    )
    chat.wait(1).ask(0, "developer", "The gauge's clock is 0.09 % slow. Correct it in logger.py and prove it.")
    chat.wait(6).warn(1, "Your last message was not valid JSON. Answer with one JSON object.")
    chat.wait(3).think(
        1,
        "Asking for the chip's data",
        ["Before I correct a constant drift I want to know whether it depends on temperature."],
        "call_subordinate",
        {"profile": "researcher", "message": "How does the clock chip drift with temperature?", "reset": "true"},
    )
    chat.wait(1).ask(1, "researcher", "How much does a DS1307 clock drift, and how does temperature change it?")
    chat.wait(3).think(
        2,
        "Searching the web",
        ["The data sheet and one field report should do."],
        "search_engine",
        {"query": "DS1307 RTC drift compensation temperature"},
    )
    found = (
        "Title: Keeping small clocks honest\nURL: https://clocks.example/ds1307\n"
        "Content: A plain 32 kHz crystal is off by 20 to 100 ppm at 25 °C and by more in the cold.\n\n"
        "Title: Field notes, winter buoy\nURL: https://buoys.example/notes/7\n"
        "Content: Ours ran 900 ppm slow with the wrong load capacitors; a daily correction was enough.\n"
    )
    chat.wait(6).result(
        2,
        "tool",
        "icon://construction A2: Using tool 'search_engine'",
        tool="search_engine",
        args={"query": "DS1307 RTC drift compensation temperature"},
        text=found,
    )
    chat.wait(5).report(
        2,
        "900 ppm is far beyond temperature (about 100 ppm). It fits **wrong load capacitors**, and such a drift is "
        "constant: a daily correction is enough.",
    )
    chat.wait(4).think(
        1,
        "Fitting the drift",
        ["A straight line through seven days of offsets."],
        "code_execution_tool",
        {"runtime": "terminal", "session": 1, "code": "python3 fit_drift.py"},
    )
    chat.wait(38).ran(
        1, 1, "terminal", "python3 fit_drift.py", "offset(t) = -0.0009 * t   (r2 = 0.99998)\n7 days    = -9.07 min\n"
    )
    chat.wait(5).report(
        1, "`logger.py` now corrects 0.0009 s a second once a day, and a test replays last week with it."
    )
    chat.wait(4).answer(
        "The real-time clock runs **0.09 % slow**. The logger never asks the time server, so the error adds up:\n\n"
        "```\noffset(t) = -0.0009 · t\n7 days    = -9.07 min\n```\n\n"
        "| | before | after |\n|---|---:|---:|\n| drift in a week | 9.07 min | 0.4 s |\n"
        "| largest step | – | 78 s a day |\n\n"
        "I have added a daily correction and a test with last week's data. The cause is most likely a pair of wrong "
        "load capacitors on the clock board; replacing them would make the correction unnecessary."
    )
    chat.wait(412).user("Great. 请再用中文写一份给港口的说明。")
    chat.wait(5).answer(
        "## 验潮仪时钟说明\n\n"
        "验潮仪的实时时钟每周约慢 **9 分钟**(0.09 %)。原因很可能是时钟板上的负载电容不合适。\n\n"
        "- 记录程序现在每天自动校正一次;\n- 校正后每周误差小于 1 秒;\n- 6 月 24 日至 7 月 1 日的数据已重新计算。\n\n"
        "更换电容之后可以关闭校正。"
    )
    return chat


def tide_data_in_chinese() -> Chat:
    chat = Chat("YanChao8", "验潮仪数据清洗", _at(6, 30, 16, 5))
    chat.project("harbour", "Harbour", "#2458b8")
    chat.wait(3).user("把三月的验潮数据按小时整理成表格,去掉明显的错误值。")
    chat.wait(4).think(
        0,
        "读取数据文件",
        ["先看看有多少行、哪些值不合理。", "水位应在 0 到 420 厘米之间。"],
        "code_execution_tool",
        {"runtime": "python", "session": 0, "code": "print(len(rows), min(rows), max(rows))"},
    )
    chat.wait(7).ran(0, 0, "python", "print(len(rows), min(rows), max(rows))", "44640 -9999 4031\n")
    chat.wait(6).answer(
        "三月共有 **44,640** 行,其中 212 行不合理(-9999 或大于 420 厘米),已经去掉。\n\n"
        "| 时间 | 平均水位 (cm) | 有效值 |\n|---|---:|---:|\n"
        "| 03-01 00:00 | 231 | 60 |\n| 03-01 01:00 | 258 | 60 |\n| 03-01 02:00 | 279 | 57 |\n\n"
        "完整的表格在 `march-hourly.csv`。"
    )
    chat.wait(95).user("57 个有效值的那一小时是怎么回事?")
    chat.wait(4).answer("那一小时里传感器重启了一次(02:41 到 02:44),所以少了三个值。没有用插值补上。")
    return chat


def weekly_task() -> Chat:
    chat = Chat("Wk7Water", "Weekly water report", _at(7, 6, 6, 0))
    chat.project("harbour", "Harbour", "#2458b8")
    chat.wait(1).user(
        "Compare this week's water levels with last week's and write three sentences for the notice board."
    )
    chat.wait(3).think(
        0,
        "Loading both weeks",
        ["Two files, same columns."],
        "code_execution_tool",
        {"runtime": "python", "session": 0, "code": "compare('2026-W26', '2026-W27')"},
    )
    chat.wait(9).ran(0, 0, "python", "compare('2026-W26', '2026-W27')", "mean 214.2 -> 219.8 cm\nmax 388 -> 402 cm\n")
    chat.wait(4).answer(
        "The water stood 6 cm higher than last week on average. The highest tide, 402 cm, came on Thursday night with "
        "a westerly wind. No warning level was reached."
    )
    chat.wait(604_800 - 18).user(
        "Compare this week's water levels with last week's and write three sentences for the notice board."
    )
    chat.wait(3).think(
        0,
        "Loading both weeks",
        ["Two files, same columns."],
        "code_execution_tool",
        {"runtime": "python", "session": 0, "code": "compare('2026-W27', '2026-W28')"},
    )
    chat.progress = "A0: Loading both weeks"
    return chat


def plum_pictures() -> Chat:
    chat = Chat("PlumPic3", "Which plum is this?", _at(6, 12, 18, 20))
    chat.project("garden", "Garden", "#1a6641")
    chat.wait(2).user("Which plum is this? The tree was here before us.", ("plum.png",))
    folder = "images/vision-load"
    chat.files = {
        f"{folder}/plum-20260612-182003-5f0c11d2.png": plum_picture(),
        f"{folder}/leaf-20260612-182004-91ab07e4.png": leaf_picture(),
        "screenshots/browser/20260612-182031-open-1c9f.png": page_picture(),
    }
    shown = [f"/a0/usr/chats/{chat.id}/{name}" for name in chat.files]
    chat.wait(4).think(
        0,
        "Looking at the pictures",
        ["Fruit and leaf together decide it."],
        "vision_load",
        {"paths": ["/a0/usr/uploads/plum.png"]},
    )
    chat.wait(5).item(
        "tool",
        "icon://construction A0: Using tool 'vision_load'",
        "2 images processed",
        {"paths": ["/a0/usr/uploads/plum.png"], "result": "2 images processed", "_tool_name": "vision_load"},
    )
    parts = [{"type": "image_url", "image_url": {"url": path}} for path in shown[:2]]
    chat.remember(0, False, {"raw_content": parts, "preview": "<Image attachments loaded by path>"}, chat.new_id())
    chat.wait(3).think(
        0,
        "Comparing with an orchard's page",
        ["One page with pictures."],
        "browser",
        {"action": "open", "url": "https://plums.example/"},
    )
    chat.wait(6).item(
        "tool",
        "icon://captive_portal A0: Using browser",
        "Opened “Old plums of the coast”.",
        {
            "action": "open",
            "url": "https://plums.example/",
            "Screenshot": f"img://{shown[2]}&t=1781281231.5",
            "_tool_name": "browser",
        },
    )
    page = (
        "Old plums of the coast\n\nMirabelle: small, round, yellow with red dots, ripe in August. "
        "Victoria: large, oval, red over yellow, ripe in late August; the leaf is broad and dull above. "
        "Zwetsche: long, dark blue, the stone comes off clean, ripe in September.\n\n"
        + "See also: grafting, pruning, wasps. "
        * 12
    )
    chat.wait(2).result(
        0,
        "tool",
        "icon://construction A0: Using tool 'document_query'",
        tool="document_query",
        args={"document": "https://plums.example/"},
        text=page,
    )
    chat.wait(5).answer(
        "It is most likely a **Victoria** plum: large and oval, red over yellow, with a broad leaf that is dull "
        "above.\n\n"
        "1. Pick when the fruit comes off with a light twist, usually in the last week of August.\n"
        "2. Thin the fruit now, or branches may break.\n\n"
        "The picture of the stone would make it certain."
    )
    return chat


def orchard_map() -> Chat:
    chat = Chat("MapOrch5", "Deploy the orchard map", _at(5, 27, 11, 12), ("agent0", "developer"))
    chat.project("garden", "Garden", "#1a6641")
    chat.wait(2).user("Put the new orchard map online, but keep the old address working.")
    chat.wait(4).think(
        0,
        "Handing over to a developer",
        ["Static files and one redirect."],
        "call_subordinate",
        {"profile": "developer", "message": "Deploy the map and redirect the old address.", "reset": "true"},
    )
    chat.wait(1).ask(0, "developer", "Deploy the map from ./dist and redirect /trees to /map.")
    chat.wait(4).think(
        1,
        "Copying the files",
        ["rsync, then the redirect."],
        "code_execution_tool",
        {"runtime": "terminal", "session": 0, "code": "rsync -a dist/ web:/srv/map/ && ./check.sh"},
    )
    chat.wait(14).ran(
        1,
        0,
        "terminal",
        "rsync -a dist/ web:/srv/map/ && ./check.sh",
        "sent 1,204,331 bytes\n\x1b[32mok\x1b[0m   /map      200\n\x1b[31mFAIL\x1b[0m /trees    404\n",
    )
    chat.wait(5).item(
        "mcp",
        "icon://extension A1: Using MCP tool 'web.add_redirect'",
        "redirect added",
        {"tool_name": "web.add_redirect", "from": "/trees", "to": "/map"},
        agent=1,
    )
    chat.wait(3).item("error", "", "The web server did not reload: configuration test failed at line 41.", {}, agent=1)
    chat.wait(8).report(
        1, "The map is online. The redirect waits for a corrected line 41 in the server's configuration."
    )
    chat.wait(3).answer(
        "The map is online at `/map`. **The old address does not work yet**: the web server refused its configuration "
        "at line 41, which was there before. May I change that line?"
    )
    return chat


def bread() -> Chat:
    chat = Chat("Bread70x", None, _at(3, 8, 10, 2), ("",))
    chat.wait(2).user("Make me a bread hydration table for 500 g of flour, 60 to 80 percent.")
    chat.wait(3).answer(
        "| hydration | water |\n|---:|---:|\n| 60 % | 300 g |\n| 65 % | 325 g |\n| 70 % | 350 g |\n| 75 % | 375 g |\n"
        "| 80 % | 400 g |\n\nSalt stays at 10 g (2 %)."
    )
    return chat


def radar_child() -> Chat:
    chat = Chat("Radar2Ch", "Rain radar tiles", _at(7, 1, 9, 37))
    chat.output_data.update(
        {
            "parent_context_id": "Tide4Gau",
            "parent_context_kind": "parallel",
            "parent_context_label": "Rain radar tiles",
            "parallel_job_id": "job-1",
            "parallel_tool_name": "call_subordinate",
        }
    )
    chat.wait(1).user("Fetch last week's rain radar tiles around the harbour and say when it rained.")
    chat.wait(9).answer("It rained on 26 June (4 mm, 03:00 to 05:00) and on 29 June (11 mm, in the afternoon).")
    return chat


def of_2025_format() -> str:
    """A chat as v0.8.2 wrote it: no dates, no ids on most items, `temp`, a UUID for an id."""
    question = "Why does the light sensor in the greenhouse read zero at noon?"
    reply = "The sensor saturates. Set its gain to 1x: at noon there are 90,000 lux, and the range ends at 40,000."
    raw = json_text(
        {"thoughts": ["Zero at the brightest hour: overflow."], "tool_name": "response", "tool_args": {"text": reply}}
    )
    history = {
        "_cls": "History",
        "bulks": [],
        "topics": [],
        "current": {
            "_cls": "Topic",
            "summary": "",
            "messages": [
                {
                    "_cls": "Message",
                    "ai": False,
                    "content": {"user_message": question, "attachments": []},
                    "summary": "",
                    "tokens": 24,
                },
                {"_cls": "Message", "ai": True, "content": raw, "summary": "", "tokens": 52},
            ],
        },
    }
    logs = [
        {
            "no": 0,
            "id": None,
            "type": "user",
            "heading": "User message",
            "content": question,
            "temp": False,
            "kvps": {"attachments": []},
        },
        {
            "no": 1,
            "id": None,
            "type": "agent",
            "heading": "A0: Generating",
            "content": raw,
            "temp": False,
            "kvps": {"thoughts": ["Zero at the brightest hour: overflow."]},
        },
        {
            "no": 2,
            "id": None,
            "type": "response",
            "heading": "A0: Responding",
            "content": reply,
            "temp": False,
            "kvps": {},
        },
    ]
    return json_text(
        {
            "id": OLD_ID,
            "name": "Light sensor in the greenhouse",
            "agents": [{"number": 0, "data": {"timeout": 0}, "history": json_text(history)}],
            "streaming_agent": 0,
            "log": {"guid": "0d6fbd1c-6a3c-4a36-9d0d-8b1c4c3cf3aa", "logs": logs, "progress": "", "progress_no": 0},
        }
    )


def cut_chat() -> bytes:
    """The file of a chat that was being saved in place when the power went."""
    chat = Chat("Cut0ffXy", "Pump controller notes", _at(4, 2, 21, 40))
    chat.wait(2).user("Write down what the pump controller's lamps mean.")
    chat.wait(4).answer("Green: running. Amber: waiting for the tank. Red, blinking: the float switch is stuck.")
    whole = chat.text().encode()
    return whole[: len(whole) * 3 // 5]


def tasks() -> bytes:
    task = {
        "uuid": "Wk7Water",
        "context_id": "Wk7Water",
        "name": "Weekly water report",
        "type": "scheduled",
        "state": "running",
        "prompt": "Compare this week's water levels with last week's and write three sentences for the notice board.",
        "schedule": {"minute": "0", "hour": "6", "day": "*", "month": "*", "weekday": "1", "timezone": "Europe/Berlin"},
        "last_run": "2026-07-06T06:00:22+02:00",
    }
    return (json.dumps({"tasks": [task]}, ensure_ascii=False, indent=2) + "\n").encode()


STORIES = (tide_gauge, tide_data_in_chinese, weekly_task, plum_pictures, orchard_map, bread, radar_child)
