"""The rules of the games: cards, deals, boards, moves, and who comes before whom. Pure."""
