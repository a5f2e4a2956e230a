const CLASS = /^(?:var|let|const) (\w+) = (?:\w+ = )*class(?: (\w+))?( extends [^{]+)? \{/gm;

/**
 * The text of a written file in which classes have the names of the sources: the bundler calls the
 * second of two things of one name, a class inside of itself included, `Name2` or `_Name`.
 *
 * @param names of all classes of the sources.
 * @throws Error for a class that has another name even outside of itself, as one of the same name
 * is in the package.
 */
export function withClassNames(text: string, names: ReadonlySet<string>): string {
  return text.replaceAll(CLASS, (head, outside: string, inside: string | undefined) => {
    if (!names.has(outside)) {
      throw new Error(`bundle: two classes of one name: one of them became ${outside}; rename it`);
    }
    // As a name is that no bundler has changed: not writable, not enumerable.
    const name = `{ value: "${outside}", configurable: true }`;
    return (inside ?? outside) === outside
      ? head
      : `${head}\n  static {\n    Object.defineProperty(this, "name", ${name});\n  }`;
  });
}

/** The names of the classes that a module has at its top level or in a variable. */
export function classNamesIn(text: string): string[] {
  return [...text.matchAll(/\bclass (\w+)/g)].map(([, name]) => name!);
}
