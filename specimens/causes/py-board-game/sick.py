"""Plays a short game of connect-four against itself with a small look-ahead."""

import copy
import sys

WIDTH, HEIGHT = 7, 6
LINES = ((0, 1), (1, 0), (1, 1), (1, -1))


class Board:
    def __init__(self):
        self.columns = [[] for _ in range(WIDTH)]
        self.moves = []
        self.marks = {"x": 0, "o": 0}

    def open_columns(self):
        return [c for c in (3, 2, 4, 1, 5, 0, 6) if len(self.columns[c]) < HEIGHT]

    def play(self, column, mark):
        self.columns[column].append(mark)
        self.moves.append((column, mark))
        self.marks[mark] += 1

    def take_back(self):
        column, mark = self.moves.pop()
        self.columns[column].pop()
        self.marks[mark] -= 1

    def after(self, column, mark):
        """The position that this move leads to."""
        board = copy.deepcopy(self)
        board.play(column, mark)
        return board

    def leave(self, board):
        """Ends the look at a position that `after` has shown."""
        del board

    def at(self, column, row):
        if 0 <= column < WIDTH and 0 <= row < len(self.columns[column]):
            return self.columns[column][row]
        return None

    def run(self, column, row, step, mark):
        length = 0
        while self.at(column, row) == mark:
            length += 1
            column += step[0]
            row += step[1]
        return length

    def last_wins(self):
        column, mark = self.moves[-1]
        row = len(self.columns[column]) - 1
        for dx, dy in LINES:
            there = self.run(column, row, (dx, dy), mark)
            back = self.run(column, row, (-dx, -dy), mark)
            if there + back - 1 >= 4:
                return True
        return False

    def score(self, mark):
        total = 0
        for column in range(WIDTH):
            for row, own in enumerate(self.columns[column]):
                weight = 3 - abs(3 - column)
                total += weight if own == mark else -weight
        return total


def other(mark):
    return "o" if mark == "x" else "x"


def value(board, mark, depth):
    """How good the position is for the side that is to move."""
    if board.last_wins():
        return -1000 - depth
    columns = board.open_columns()
    if depth == 0 or not columns:
        return board.score(mark)
    best_value = -10 ** 6
    for column in columns:
        child = board.after(column, mark)
        best_value = max(best_value, -value(child, other(mark), depth - 1))
        board.leave(child)
    return best_value


def best(board, mark, depth):
    choices = []
    for column in board.open_columns():
        child = board.after(column, mark)
        choices.append((-value(child, other(mark), depth - 1), -abs(3 - column), column))
        board.leave(child)
    return max(choices)[2]


def game(depth):
    board, mark = Board(), "x"
    while board.open_columns():
        board.play(best(board, mark, depth), mark)
        if board.last_wins():
            return board, mark
        mark = other(mark)
    return board, None


def main():
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    board, winner = game(depth)
    print("moves", "".join(str(column) for column, _ in board.moves), "winner", winner)
    for row in reversed(range(HEIGHT)):
        print(" ".join(board.at(column, row) or "." for column in range(WIDTH)))


if __name__ == "__main__":
    main()
