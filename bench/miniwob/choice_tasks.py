"""Oracles of tasks that choose a value: lists, spinners, sliders, forms in steps, scrolling."""

import re

from bench.miniwob.episode import Episode, Oracle, said
from forager.errors import ActionError

NUMBER = re.compile(r"-?\d+")


async def from_list(task: Episode) -> None:
    wanted = re.findall(r"Select (.+) from the list", task.goal)[0]
    await task.do("select", task.every("combobox")[0], wanted)
    await task.submit()


async def from_scroll_list(task: Episode) -> None:
    wanted = re.findall(r"Select (.+) from the scroll list", task.goal)[0]
    await task.do("select", task.every("listbox")[0], wanted)
    await task.submit()


async def spinner(task: Episode) -> None:
    """By its arrows: the field takes no keys."""
    wanted = int(NUMBER.findall(task.goal)[0])
    for _ in range(abs(wanted)):
        up, down = task.every("button")[:2]
        await task.do("click", up if wanted > 0 else down)
    await task.submit()


async def slider(task: Episode) -> None:
    await _slide(task, 0, int(NUMBER.findall(task.goal)[0]))
    await task.submit()


async def sliders(task: Episode) -> None:
    for place, wanted in enumerate(NUMBER.findall(task.goal)):
        await _slide(task, place, int(wanted))
    await task.submit()


async def _slide(task: Episode, place: int, wanted: int) -> None:
    """By the keyboard: a slider of jQuery UI has no role to aim at, but takes the focus."""
    await task.do("press", value="Tab")
    shown = [said(node) for node in task.area() if NUMBER.fullmatch(node.text)]
    steps = wanted - int(shown[place])
    for _ in range(abs(steps)):
        await task.do("press", value="ArrowRight" if steps > 0 else "ArrowLeft")


async def slider_and_box(task: Episode) -> None:
    wanted, place = (int(each) for each in NUMBER.findall(task.goal)[:2])
    await _slide(task, 0, wanted)
    await task.do("click", task.every("checkbox")[place - 1])
    await task.submit()


async def radio_and_text(task: Episode) -> None:
    radio, field = (int(each) for each in re.findall(r"the (\d)\w\w", task.goal))
    await task.do("click", task.every("radio")[radio - 1])
    await task.do("type", task.every("textbox")[field - 1], task.quoted()[0])
    await task.submit()


async def dropdown_and_button(task: Episode) -> None:
    wanted = re.findall(r"Choose (.+) from the dropdown", task.goal)[0]
    await task.do("select", task.every("combobox")[0], wanted)
    await task.click(task.quoted()[0])


async def scroll(task: Episode) -> None:
    await _to_the_end(task, "down" if "bottom" in task.goal else "up")
    await task.submit()


async def _to_the_end(task: Episode, direction: str) -> None:
    while True:
        try:
            await task.do("scroll", value=task.every("textbox")[0].ref, target=direction)
        except ActionError:
            return


async def agreement(task: Episode) -> None:
    if names := task.quoted():
        await _to_the_end(task, "down")
        await task.do("type", task.called("Name", "textbox"), names[0])
    await task.click(names[-1] if names else "Cancel")


ORACLES: dict[str, Oracle] = {
    "choose-list": from_list,
    "click-scroll-list": from_scroll_list,
    "use-spinner": spinner,
    "use-slider": slider,
    "use-slider-2": sliders,
    "form-sequence": slider_and_box,
    "form-sequence-2": radio_and_text,
    "form-sequence-3": dropdown_and_button,
    "scroll-text-2": scroll,
    "sign-agreement": agreement,
}
