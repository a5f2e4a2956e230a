import { type CallStage, Mistakes } from '@apix/contracts';

/** What is wrong with the stages themselves, whatever their order. */
export function stageMistakes(stages: readonly CallStage[]): readonly string[] {
  const mistakes = new Mistakes();
  const names = new Set<unknown>();
  for (const stage of stages) {
    const { name, after = [], before = [] } = stage;
    if (typeof name !== 'string' || name === '') {
      mistakes.add('name', 'a call stage must have a name that is a non-empty string');
      continue;
    }
    if (names.has(name)) {
      mistakes.add('', `two call stages are named "${name}"; give one of them another name`);
    }
    names.add(name);
    if (typeof stage.bind !== 'function')
      mistakes.add(`stage "${name}"`, 'bind must be a function');
    for (const [key, value] of Object.entries({ after, before })) {
      if (!isNameList(value)) mistakes.add(`stage "${name}"`, `${key} must be an array of names`);
    }
  }
  return mistakes.found;
}

function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
