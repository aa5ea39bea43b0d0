"""The rules of the games: cards, deals, boards, moves, and the ranking. Pure."""
