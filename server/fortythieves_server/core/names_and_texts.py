"""Make names, chat, titles and reasons safe to show to others, and keep the names of people in a room distinct. Pure.

A clean text is normalised (NFC) and on one line, except for descriptions. It has no characters that are invisible, that
reverse the text around them, or that pile up over their neighbours. Markup stays as typed; the client escapes it.
Cleaning a clean text changes nothing.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache, lru_cache, partial

from confusable_homoglyphs.utils import load

from fortythieves.errors import Refused, found, refuse_if
from fortythieves_server.core.room_state import Room

NAME_LENGTH = 24
CHAT_LENGTH = 300
TITLE_LENGTH = 60
REASON_LENGTH = 200
ANNOUNCEMENT_LENGTH = 280
ABOUT_LENGTH = 2000

#: Some characters stand for many others (U+FDFA for 18). With all of these, a name has at most this many, because a
#: room compares the looks of a thousand names at once.
_NAME_IN_FULL = 3 * NAME_LENGTH

#: Input longer than this many times is refused unread. A description has few invisible characters for its length.
_UNREAD, _UNREAD_ABOUT = 8, 2

#: Normalising sorts the marks in a row, in quadratic time. No text in any language has more (Unicode's Standard Annex
#: 15, "Stream-Safe Text Format").
_MARKS_BEFORE_SORTING = 30

#: A syllable in Devanagari can need three marks on a letter (nukta, vowel sign, anusvara), and Vietnamese needs two.
#: "Zalgo" text piles up more.
_MARKS_IN_A_ROW = 4

#: Removing a character can join two others. Two rounds are enough for text that is not made to resist.
_ROUNDS = 4
_ZWNJ, _ZWJ, _EMOJI_STYLE, _KEYCAP = "\u200c", "\u200d", "\ufe0f", "\u20e3"
_KEPT_IN_CONTEXT = frozenset((_ZWNJ, _ZWJ, _EMOJI_STYLE))

#: Invisible characters of categories that are usually visible: the default-ignorable letters and marks of Unicode's
#: DerivedCoreProperties.txt, and three blank symbols.
_INKLESS = {
    0x034F,  # combining grapheme joiner
    *(0x115F, 0x1160, 0x3164, 0xFFA0),  # Hangul fillers
    *(0x17B4, 0x17B5),  # Khmer inherent vowels
    *(0x180B, 0x180C, 0x180D, 0x180F),  # Mongolian variation selectors
    *range(0xFE00, 0xFE0F),  # variation selectors, except the one for emoji
    *range(0xE0100, 0xE01F0),
    *(0x2800, 0xFFFC, 0x1D159),  # blank braille, object replacement, null note head
    *(0x13441, 0x13442),  # Egyptian blanks, which newer versions of Python know
}

#: Control, format, surrogate, private use, unassigned.
_UNWANTED = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))

#: The Arabic and Indian scripts, which are adjacent. Their letters join, so a joiner between two of them is spelling.
_JOINING_SCRIPTS = range(0x0600, 0x0E00)

#: Unicode reserves these blocks for emoji. Phones already know emoji that this Python does not.
_EMOJI_BLOCKS = range(0x1F300, 0x1FB00)


def _clean(text: str, most: int, code: str, least: int = 0) -> str:
    refuse_if(len(text) > most * _UNREAD, code)
    for _ in range(_ROUNDS):
        before, text = text, _round(text)
        if text == before:
            refuse_if(not least <= len(text) <= most, code)
            return text
    raise Refused(code)


def clean_name(text: str) -> str:
    """`text` as a name, which must not be empty. Raises `Refused` ("bad-name")."""
    name = _clean(text, NAME_LENGTH, "bad-name", 1)
    refuse_if(len(unicodedata.normalize("NFKC", name)) > _NAME_IN_FULL, "bad-name")
    return name


#: The text as a chat message, and so on; only the first must not be empty. Raise `Refused`.
clean_chat = partial(_clean, most=CHAT_LENGTH, code="bad-chat", least=1)
clean_title = partial(_clean, most=TITLE_LENGTH, code="bad-title")
clean_reason = partial(_clean, most=REASON_LENGTH, code="bad-reason")
clean_announcement = partial(_clean, most=ANNOUNCEMENT_LENGTH, code="bad-announcement")


def needed_reason(text: str) -> str:
    """`text` as a reason, which must not be empty. Raises `Refused` ("bad-reason", "no-reason")."""
    cleaned = clean_reason(text)
    refuse_if(not cleaned, "no-reason")
    return cleaned


def clean_about(text: str) -> str:
    """`text` as a description, which may be empty and has lines. Raises `Refused` ("bad-about")."""
    refuse_if(len(text) > ABOUT_LENGTH * _UNREAD_ABOUT, "bad-about")
    lines = [_clean(line, ABOUT_LENGTH, "bad-about") for line in text.splitlines()]
    # One empty line at most, between paragraphs.
    about = "\n".join(line for line, above in zip(lines, ["", *lines], strict=False) if line or above).rstrip("\n")
    refuse_if(len(about) > ABOUT_LENGTH, "bad-about")
    return about


def _round(text: str) -> str:
    visible = _few_marks("".join(map(_visible, text)), _MARKS_BEFORE_SORTING)
    return " ".join(_joiners_in_place(_few_marks(unicodedata.normalize("NFC", visible), _MARKS_IN_A_ROW)).split())


@lru_cache(maxsize=4_000)  # the letters of several languages
def _visible(char: str) -> str:
    """The character, a blank for white space of any kind, or nothing."""
    if char.isspace():
        return " "
    if ord(char) in _INKLESS or (_category(char) in _UNWANTED and char not in _KEPT_IN_CONTEXT):
        return ""
    return char


def _few_marks(text: str, most: int) -> str:
    """`text` without marks that have no letter, or ``most`` marks below them. Joiners are ignored."""
    kept = []
    room = 0
    for char in text:
        if _category(char).startswith("M") and char != _EMOJI_STYLE:
            if room == 0:
                continue
            room -= 1
        elif char not in _KEPT_IN_CONTEXT:
            room = 0 if char == " " else most
        kept.append(char)
    return "".join(kept)


def _joiners_in_place(text: str) -> str:
    """`text` without joiners and emoji style, except where spelling or an emoji needs them. They could hide text."""
    kept = [" "]
    for char, following in zip(text, (text + " ")[1:], strict=True):
        if char not in _KEPT_IN_CONTEXT or _belongs(kept[-1], char, following):
            kept.append(char)
    return "".join(kept)


def _belongs(before: str, char: str, after: str) -> bool:
    if char == _EMOJI_STYLE:
        # "1" + style + keycap is an emoji, but "1" + style just looks like "1".
        return after == _KEYCAP if before.isascii() else _category(before)[0] in "SP"
    if _spells(before) and _spells(after):
        return True
    return char == _ZWJ and (before == _EMOJI_STYLE or _is_symbol(before)) and _is_symbol(after)


def _spells(char: str) -> bool:
    return ord(char) in _JOINING_SCRIPTS and _category(char)[0] in "LM"


def _is_symbol(char: str) -> bool:
    return _category(char) in {"So", "Sm", "Sk"} and not char.isascii()


@lru_cache(maxsize=4_000)
def _category(char: str) -> str:
    category = unicodedata.category(char)
    return "So" if category == "Cn" and ord(char) in _EMOJI_BLOCKS else category


# Names that look alike. Unicode's Technical Standard 39, section 4, calls their common form a *skeleton*. The library
# `confusable_homoglyphs` has the standard's table of confusable characters, as pairs. It computes no skeletons

#: In Unicode 15, chains of characters that look like the next one have at most two steps. This leaves a margin.
_LINKS = 8
#: The library puts these around right-to-left letters.
_MARKS = "\u200e\u200f"
#: Marks that only join others, and have no ink: Tifinagh, Duployan, Khitan, Brahmi.
_JOINING_MARKS = (0x2D7F, 0x1BC9D, 0x16FE4, 0x1107F)
#: A mark that is there twice is drawn over itself.
_AGAIN = re.compile(r"([^\w\s])\1+")
#: The letters with a dot that another dot replaces (Unicode's Soft_Dotted), as they are in a skeleton.
_DOTTED = re.compile("(?<=[ij])\u0307")


@lru_cache(maxsize=10_000)  # ten rooms of a thousand people; a miss takes about 10 us (measured)
def lookalike_forms(text: str) -> frozenset[str]:
    """The looks of a text. Two texts can be confused if their looks have an element in common.

    Case is ignored ("ANN" is "Ann"), and so is the form of letters (NFKC, as in RFC 8266 for nicknames). "lan" looks
    like "Ian" but not like "ian". Characters without ink are ignored, although a name may need them for its spelling.
    """
    skeleton = _skeleton(text)
    lower, folded = skeleton.casefold(), unicodedata.normalize("NFKC", text).casefold()
    # Most names have one look: to find it thrice would take twice as long.
    also = (_skeleton(other) for other, known in ((lower, skeleton), (folded, text)) if other != known)
    return frozenset((skeleton, *also))


def _skeleton(text: str) -> str:
    if text.isascii():  # then it is normalised, and has no marks
        return text.translate(prototypes())
    skeleton = _once(unicodedata.normalize("NFD", text)).translate(prototypes())
    return _DOTTED.sub("", unicodedata.normalize("NFD", skeleton))


def _once(text: str) -> str:
    """`text` without marks that follow themselves."""
    return _AGAIN.sub(lambda found: found[1] if _category(found[1]).startswith("M") else found[0], text)


@cache
def prototypes() -> Mapping[int, str]:
    """By confusable character, what represents it and all its look-alikes: no character of that is confusable again.

    To read them takes 70 ms, so a server does it before it serves anybody.
    """
    pairs: Mapping[str, list[Mapping[str, str]]] = load("confusables.json")
    alike = {char.strip(_MARKS): [one["c"].strip(_MARKS) for one in others] for char, others in pairs.items()}
    found = dict.fromkeys((*map(ord, _KEPT_IN_CONTEXT), *_INKLESS, *_JOINING_MARKS), "")
    for char, others in alike.items():
        # The representative is listed with all its look-alikes, each of them only with the representative.
        if len(char) > 1 or len(others) > 1:
            continue
        (other,) = others
        is_one_of_two = len(other) == 1 and len(alike[other]) == 1
        if not (is_one_of_two and char < other):
            found[ord(char)] = other
    for _ in range(_LINKS):
        for code, other in found.items():
            found[code] = unicodedata.normalize("NFD", other).translate(found)
    return found


#: The highest number that is added to a name to make it distinct.
NAMESAKES = 1_000


def distinct(room: Room, name: str, guest: str) -> str:
    """The name for a guest, with a number if it looks like another name. Raises `Refused` if no number is free."""
    return _distinct({form for other, known in _known(room) if other != guest for form in lookalike_forms(known)}, name)


def distinct_beside_list(room: Room, name: str, guest: str) -> str:
    """As `distinct`, for a guest without a name of the entry list.

    If there is a list, the name always has a number, so it differs from all names there and does not tell who they are.
    """
    tournament = room.tournament
    if not tournament or not tournament.has_list or not room.creator or room.is_creator(guest):
        return distinct(room, name, guest)
    known = [known for other, known in _known(room) if other != guest]
    return _distinct({form for one in (*known, *tournament.plan.listed, name) for form in lookalike_forms(one)}, name)


def _distinct(taken: Set[str], name: str) -> str:
    if taken.isdisjoint(lookalike_forms(name)):
        return name
    numbered = (f"{name[: NAME_LENGTH - 1 - len(str(k))].rstrip()} {k}" for k in range(2, NAMESAKES + 2))
    return found(next((name for name in numbered if taken.isdisjoint(lookalike_forms(name))), None), "bad-name")


def distinct_among(names: Iterable[str], name: str) -> str:
    """The name, with a number if it looks like one of these."""
    return _distinct({form for one in names for form in lookalike_forms(one)}, name)


def is_free(room: Room, name: str, guest: str) -> bool:
    """Whether no other person in the room and no other entrant has a name that looks like this one."""
    forms = lookalike_forms(name)
    return all(other == guest or forms.isdisjoint(lookalike_forms(known)) for other, known in _known(room))


def _known(room: Room) -> Iterator[tuple[str, str]]:
    yield room.creator, room.creator_name  # reserved even while the creator is away
    for person in room.people.values():
        yield person.guest, person.name
    if room.tournament is not None:  # an absent entrant keeps the name
        for seat, entrant in room.tournament.entrants.items():
            yield room.tournament.guests.get(seat, ""), entrant.name
    for message in room.chat.values():
        if message.guest:
            yield message.guest, message.name
