"""The rules of Forty Thieves and its eight variants, and the words that players, bots and servers share.

Everything here is pure: no socket, no clock, no randomness but what is handed in. Read it upwards from `cards`;
GAMES.md, one folder up, says in words what this package says in code.
"""
