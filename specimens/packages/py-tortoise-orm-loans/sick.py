"""Lists for each member of a library what is on loan, and counts the words of the list."""
import sys

from tortoise import Model, Tortoise, fields, run_async


class Member(Model):
    id = fields.IntField(pk=True)
    name = fields.CharField(max_length=40)


class Loan(Model):
    id = fields.IntField(pk=True)
    title = fields.CharField(max_length=80)
    member = fields.ForeignKeyField("models.Member", related_name="loans", index=True)


async def fill(members):
    await Member.bulk_create([Member(id=at, name=f"Member {at}") for at in range(1, members + 1)])
    await Loan.bulk_create([Loan(title=f"Book {at}", member_id=at // 3 + 1) for at in range(3 * members)])


async def listing():
    lines = []
    for member in await Member.all().order_by("id"):
        loans = await member.loans.all()
        lines.append(f"{member.name}: {', '.join(loan.title for loan in loans)}")
    return "\n".join(lines)


async def main():
    await Tortoise.init(db_url="sqlite://:memory:", modules={"models": ["__main__"]})
    await Tortoise.generate_schemas()
    await fill(int(sys.argv[1]))
    print(len((await listing()).split()))
    await Tortoise.close_connections()


run_async(main())
