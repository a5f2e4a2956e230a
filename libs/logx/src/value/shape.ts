import { TextCache } from '@apix/contracts/internal';
import { type Preparable, Prepared } from '../template/prepared.js';

/** The names of the members of many similar objects; prepared parts of lines are shared by all of them. */
export class Shape implements Preparable {
  readonly prepared = new Prepared();

  constructor(readonly names: readonly string[]) {}

  has(names: readonly string[]): boolean {
    const own = this.names;
    if (own.length !== names.length) return false;
    for (let i = 0; i < own.length; i++) if (own[i] !== names[i]) return false;
    return true;
  }
}

/** An object with more names is usually a table whose names are data. */
const MAX_NAMES = 24;
/** Maximum number of shapes with the same first name, such as `id`. */
const MAX_SHAPES = 8;

const shapes = new TextCache<Shape[]>();

/** The shape with these names; undefined if they occur for the first time. */
export function shapeOf(names: readonly string[]): Shape | undefined {
  const [first] = names;
  if (first === undefined || names.length > MAX_NAMES) return undefined;
  const known = shapes.get(first);
  if (known === undefined) {
    shapes.keep(first, [new Shape(names)]);
    return undefined;
  }
  for (let i = 0; i < known.length; i++) if (known[i]!.has(names)) return known[i];
  if (known.length < MAX_SHAPES) known.push(new Shape(names));
  return undefined;
}
