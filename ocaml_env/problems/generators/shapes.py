"""Record types with the fields of everyday things, and values of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ocaml_env.problems.generators.chance import Chance
from ocaml_env.problems.generators.letters import WORDS
from ocaml_env.problems.generators.values import Show, integer, record, text, truth

__all__ = ["Field", "Shape", "some_shape"]

_SHOWS: dict[str, Show] = {"int": integer, "string": text, "bool": truth}

# A thing, its plural, and its fields.
_THINGS = (
    ("order", "orders", ("item:string", "buyer:string", "count:int", "price:int", "weight:int", "paid:bool")),
    ("player", "players", ("name:string", "team:string", "score:int", "rank:int", "games:int", "active:bool")),
    ("parcel", "parcels", ("label:string", "town:string", "weight:int", "height:int", "stops:int", "fragile:bool")),
    ("booking", "bookings", ("guest:string", "city:string", "nights:int", "room:int", "rate:int", "breakfast:bool")),
    ("book", "books", ("title:string", "author:string", "pages:int", "year:int", "copies:int", "lent:bool")),
    ("plant", "plants", ("species:string", "bed:string", "height:int", "age:int", "leaves:int", "edible:bool")),
    ("train", "trains", ("line:string", "goal:string", "cars:int", "delay:int", "platform:int", "express:bool")),
    ("task", "tasks", ("title:string", "owner:string", "effort:int", "urgency:int", "steps:int", "finished:bool")),
)


class Field(NamedTuple):
    """One field; ``kind`` is its OCaml type."""

    name: str
    kind: str


class Shape(NamedTuple):
    """A record type; its values are tuples."""

    name: str
    plural: str
    fields: tuple[Field, ...]

    @property
    def declaration(self) -> str:
        return f"type {self.name} = {{ {'; '.join(f'{name} : {kind}' for name, kind in self.fields)} }}"

    @property
    def show(self) -> Show:
        return record([(name, _SHOWS[kind]) for name, kind in self.fields])

    def places(self, kind: str) -> list[int]:
        """The places of the fields with this type."""
        return [place for place, field in enumerate(self.fields) if field.kind == kind]

    def draw(self, chance: Chance, words: Sequence[str] = WORDS, low: int = 0, high: int = 30) -> tuple[Any, ...]:
        """A value: strings of these words, integers of this range."""
        return tuple(_drawn(chance, kind, words, low, high) for _, kind in self.fields)


def some_shape(chance: Chance, strings: int, ints: int, bools: int = 0) -> Shape:
    """A record type with that many fields of each type, in any order."""
    name, plural, described = chance.pick(_THINGS)
    fields = [Field(*each.split(":")) for each in described]
    chosen: list[Field] = []
    for kind, count in (("string", strings), ("int", ints), ("bool", bools)):
        chosen += chance.sample([field for field in fields if field.kind == kind], count)
    return Shape(name, plural, tuple(chance.shuffled(chosen)))


def _drawn(chance: Chance, kind: str, words: Sequence[str], low: int, high: int) -> object:
    if kind == "int":
        return chance.number(low, high)
    return chance.pick(words) if kind == "string" else chance.happens(0.5)
