import { type AppFile, parseAppFile, type SourceText } from './app-file.js';
import { baseNameOf, classesIn, membersNamed } from './logger-binding.js';
import { type FoundLoggers, inheritedLogger, type LoggerGroup } from './logger-group.js';

interface Heir {
  readonly file: AppFile;
  readonly groups: readonly LoggerGroup[];
}

/** Classes that use a logger which they inherit, by the name of the class that declares it. */
export function inheritors(
  examined: readonly { readonly file: AppFile; readonly found: FoundLoggers }[],
  files: readonly SourceText[],
): Heir[] {
  const members = new Map<string, Set<string>>();
  for (const { bindings } of examined.flatMap(({ found }) => found.groups)) {
    for (const { owner, isMember, isShared, name } of bindings) {
      if (!isMember || !isShared || owner?.name === undefined) continue;
      members.set(owner.name.text, (members.get(owner.name.text) ?? new Set()).add(name));
    }
  }
  if (members.size === 0) return [];
  const parsed = new Map(examined.map(({ file }) => [file.path, file]));
  const heirs = new Map<string, Heir>();
  // A derived class may itself be a base class.
  for (let size = -1; size !== members.size;) {
    size = members.size;
    for (const { path, text } of files) {
      const isNear = [...members.keys()].some((name) => text.includes(`extends ${name}`));
      if (!isNear || /\.[cm]?jsx?$/.test(path)) continue;
      const file = parsed.get(path) ?? parseAppFile(path, text);
      parsed.set(path, file);
      const groups = classesIn(file).flatMap((owner) => {
        const inherited = members.get(baseNameOf(owner) ?? '');
        if (inherited === undefined) return [];
        if (owner.name !== undefined && !members.has(owner.name.text)) {
          members.set(owner.name.text, inherited);
        }
        const own = new Set(
          examined
            .flatMap(({ found }) => found.groups)
            .flatMap(({ bindings }) => bindings)
            .filter((it) => it.owner === owner && it.isMember)
            .map(({ name }) => name),
        );
        return [...inherited]
          .filter((name) => !own.has(name))
          .map((name) => inheritedLogger(membersNamed(owner, name)))
          .filter(({ uses }) => uses.length > 0);
      });
      if (groups.length > 0) heirs.set(path, { file, groups });
    }
  }
  return [...heirs.values()];
}
