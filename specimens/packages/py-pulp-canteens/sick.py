"""Writes down the menu of a town's canteens as a linear programme: cheapest dishes, enough of each nutrient."""
import sys

import pulp

NUTRIENTS = ("protein", "iron", "fibre")


def content(dish, nutrient):
    return 3 + (dish * 31 + len(nutrient) * 17) % 23


def menu(dishes):
    portions = [pulp.LpVariable(f"dish{dish:05d}", 0, 5) for dish in range(dishes)]
    problem = pulp.LpProblem("canteens", pulp.LpMinimize)
    problem += sum((40 + dish * 13 % 90) * portion for dish, portion in enumerate(portions))
    for nutrient in NUTRIENTS:
        problem += sum(content(dish, nutrient) * portion for dish, portion in enumerate(portions)) >= 9 * dishes, nutrient
    return problem


def main():
    problem = menu(int(sys.argv[1]))
    terms = sum(len(constraint) for constraint in problem.constraints.values())
    print(problem.numVariables(), "dishes,", problem.numConstraints(), "nutrients,", terms, "terms,", sum(problem.objective.values()))


main()
