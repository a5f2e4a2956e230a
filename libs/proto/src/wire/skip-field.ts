import { WireProblem, tooDeep, tooShort } from './wire-error.js';
import type { WireSource } from './wire-source.js';

/**
 * Passes the value of a field.
 *
 * @param groups how deeply groups may nest in it
 */
export function skipField(source: WireSource, tag: number, groups: number): void {
  switch (tag & 7) {
    case 0:
      source.varint64();
      return;
    case 1:
      source.pass(8);
      return;
    case 2:
      source.at = source.lengthEnd();
      return;
    case 3:
      skipGroup(source, tag, groups);
      return;
    case 5:
      source.pass(4);
      return;
    default:
      throw new WireProblem('the end of a group that did not begin');
  }
}

function skipGroup(source: WireSource, begin: number, groups: number): void {
  if (groups <= 0) throw tooDeep();
  while (source.at < source.end) {
    const tag = source.tag();
    if ((tag & 7) !== 4) skipField(source, tag, groups - 1);
    else if (tag >>> 3 === begin >>> 3) return;
    else throw new WireProblem('the end of another group');
  }
  throw tooShort();
}
