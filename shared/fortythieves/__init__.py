"""The rules of Forty Thieves and its eight variants, and the protocol that players, bots and servers share.

Everything here is pure: it uses no socket, no clock, and no randomness except what its caller passes in. To read the
code, start at `rules.cards`. GAMES.md in the parent folder describes the rules in words.
"""
