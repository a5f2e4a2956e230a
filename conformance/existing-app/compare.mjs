/** Every member of an answer that is another than before, as the table of the guide has it. */
export function differencesOf(before, after) {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((answer) => {
    const [old, now] = [membersOf(before[answer]), membersOf(after[answer])];
    return [...new Set([...old.keys(), ...now.keys()])]
      .filter((member) => old.get(member) !== now.get(member))
      .map((member) => ({
        answer,
        member,
        before: old.get(member) ?? 'none',
        after: now.get(member) ?? 'none',
      }));
  });
}

function membersOf(value, path = '', members = new Map()) {
  if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      membersOf(inner, path === '' ? key : `${path}.${key}`, members);
    }
  } else if (value !== undefined) {
    members.set(path, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return members;
}

/** Those that no row tells of, and the rows that tell of the others. */
export function unexplained(differences, rows) {
  const used = new Set();
  const differing = differences.filter((difference) => {
    const row = rows.find((candidate) => tells(candidate, difference));
    if (row !== undefined) used.add(row);
    return row === undefined;
  });
  return { differing, used };
}

function tells(row, difference) {
  return ['answer', 'member', 'before', 'after'].every((part) => fits(row[part], difference[part]));
}

/** In a row, `*` and `…` stand for anything. */
function fits(pattern, text) {
  const parts = pattern.split(/[*…]/).map((part) => part.replaceAll(/[.?+^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^]*')}$`).test(text);
}

export function lineOf({ answer, member, before, after }) {
  const short = (text) => (text.length > 160 ? `${text.slice(0, 160)}…` : text);
  return `${answer} | ${member} | ${short(before)} | ${short(after)}`;
}
