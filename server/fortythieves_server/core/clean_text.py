"""Names, chat, titles and reasons: what people type, made safe to show to others.

What comes out is *text*: normalised (NFC), in one line, without characters that are invisible, that turn the text
around them, or that pile up over their neighbours. Markup stays as it was typed; whoever shows a text escapes it.
Cleaning a clean text changes nothing.
"""

import unicodedata

from fortythieves.errors import Refused

NAME_LENGTH = 24
CHAT_LENGTH = 300
TITLE_LENGTH = 60
REASON_LENGTH = 200

#: Putting a long run of combining marks in order costs its square, so longer input is refused unread.
_UNREAD = 8

#: A syllable in Devanagari can need three marks on a letter (nukta, vowel sign, anusvara) and Vietnamese two; "zalgo"
#: text starts where they are piled up.
_MARKS_IN_A_ROW = 4

#: Taking one character out can bring two others together. Two rounds settle every text that is not made to resist.
_ROUNDS = 4

_ZWNJ, _ZWJ, _EMOJI_STYLE, _KEYCAP = "\u200c", "\u200d", "\ufe0f", "\u20e3"
_KEPT_IN_CONTEXT = frozenset((_ZWNJ, _ZWJ, _EMOJI_STYLE))

#: Characters that show nothing although their category does not say so: the default-ignorable ones of Unicode's
#: DerivedCoreProperties.txt that are letters or marks, and three symbols without ink.
_INKLESS = frozenset(
    map(
        chr,
        (
            0x034F,  # combining grapheme joiner
            *(0x115F, 0x1160, 0x3164, 0xFFA0),  # Hangul fillers
            *(0x17B4, 0x17B5),  # Khmer inherent vowels
            *(0x180B, 0x180C, 0x180D, 0x180F),  # Mongolian variation selectors
            *range(0xFE00, 0xFE0F),  # variation selectors but the one for emoji
            *range(0xE0100, 0xE01F0),
            *(0x2800, 0xFFFC, 0x1D159),  # blank braille, object replacement, null note head
        ),
    )
)

#: Control, format, surrogate, private use, unassigned.
_UNWANTED = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))

#: The Arabic and the Indian scripts, which lie together. Their letters join, so a joiner between two is spelling.
_JOINING_SCRIPTS = range(0x0600, 0x0E00)

#: Unicode keeps these blocks for emoji, also where nothing is assigned yet: phones know emoji that Python does not.
_EMOJI_BLOCKS = range(0x1F300, 0x1FB00)


def clean_name(text: str) -> str:
    """`text` as a name, or `Refused` ("bad-name")."""
    return _clean(text, NAME_LENGTH, "bad-name")


def clean_chat(text: str) -> str:
    """`text` as a chat message, or `Refused` ("bad-chat")."""
    return _clean(text, CHAT_LENGTH, "bad-chat")


def clean_title(text: str) -> str:
    """`text` as the name of an event, which need not have one, or `Refused` ("bad-title")."""
    return _clean(text, TITLE_LENGTH, "bad-title", least=0)


def clean_reason(text: str) -> str:
    """`text` as a reason, which need not be given, or `Refused` ("bad-reason")."""
    return _clean(text, REASON_LENGTH, "bad-reason", least=0)


def _clean(text: str, most: int, code: str, least: int = 1) -> str:
    if len(text) > most * _UNREAD:
        raise Refused(code)
    for _ in range(_ROUNDS):
        before, text = text, _round(text)
        if text == before:
            break
    else:
        raise Refused(code)
    if not least <= len(text) <= most:
        raise Refused(code)
    return text


def _round(text: str) -> str:
    visible = "".join(filter(None, map(_visible, text)))
    return " ".join(_joiners_in_place(_few_marks(unicodedata.normalize("NFC", visible))).split())


def _visible(char: str) -> str:
    """The character, a blank in place of any kind of white space, or nothing."""
    if char.isspace():
        return " "
    if char in _INKLESS or (_category(char) in _UNWANTED and char not in _KEPT_IN_CONTEXT):
        return ""
    return char


def _few_marks(text: str) -> str:
    """`text` without marks that sit on nothing or on a pile of others. Joiners neither carry marks nor end a pile."""
    kept = []
    room = 0
    for char in text:
        if _category(char).startswith("M") and char != _EMOJI_STYLE:
            if room == 0:
                continue
            room -= 1
        elif char not in _KEPT_IN_CONTEXT:
            room = 0 if char == " " else _MARKS_IN_A_ROW
        kept.append(char)
    return "".join(kept)


def _joiners_in_place(text: str) -> str:
    """`text` with joiners and emoji style only where spelling or an emoji needs them: elsewhere they hide."""
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


def _category(char: str) -> str:
    category = unicodedata.category(char)
    return "So" if category == "Cn" and ord(char) in _EMOJI_BLOCKS else category
