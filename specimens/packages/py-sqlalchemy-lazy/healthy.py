"""Prints how many copies each publisher's authors have sold."""
import sys

from sqlalchemy import ForeignKey, create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship, selectinload


class Base(DeclarativeBase):
    pass


class Author(Base):
    __tablename__ = "author"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    books: Mapped[list["Book"]] = relationship()


class Book(Base):
    __tablename__ = "book"
    id: Mapped[int] = mapped_column(primary_key=True)
    author_id: Mapped[int] = mapped_column(ForeignKey("author.id"), index=True)
    sold: Mapped[int]


def fill(engine, authors):
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        connection.execute(Author.__table__.insert(), [{"id": n, "name": f"a{n}"} for n in range(authors)])
        books = [{"id": n, "author_id": n // 2, "sold": n % 90} for n in range(2 * authors)]
        connection.execute(Book.__table__.insert(), books)


def report(engine):
    with Session(engine) as session:
        best = 0
        for author in session.scalars(select(Author).options(selectinload(Author.books))):
            best = max(best, sum(book.sold for book in author.books))
        return best


engine = create_engine("sqlite://")
fill(engine, int(sys.argv[1]))
print(report(engine))
