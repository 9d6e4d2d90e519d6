import sys

import mistune

SHARES = ["finance", "hr", "legal", "sales", "plant", "lab", "archive", "media"]
ROOT = "\\\\\\\\fileserver"


def share_path(depth, seed):
    parts = [SHARES[(seed + level) % len(SHARES)] for level in range(depth)]
    return ROOT + "".join("\\\\" + part for part in parts)


def write_handbook(sections):
    pages = []
    for number in range(sections):
        pages.append(f"## Section {number}\n")
        pages.append(f"The *monthly* report of team **{SHARES[number % 8]}** is due on day {number % 28 + 1}.\n")
        pages.append(f"Copy it to *{share_path(8 + number % 4, number)} and tell your lead.\n")
        pages.append(f"Keep a copy under `{share_path(3, number)}` for a year.\n")
    return "\n".join(pages)


def render_handbook(text):
    markdown = mistune.create_markdown(escape=True)
    return markdown(text)


def main():
    sections = int(sys.argv[1])
    html = render_handbook(write_handbook(sections))
    print(f"sections={html.count('<h2>')} paragraphs={html.count('<p>')} codes={html.count('<code>')}")


if __name__ == "__main__":
    main()
