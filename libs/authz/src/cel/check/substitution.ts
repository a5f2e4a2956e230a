import { CEL, sameCelType, type CelType } from '../cel-type.js';

/**
 * What is known of the parameters of types while an expression is checked: `[]` is a list of something, which the
 * first use of it decides. Types are gradual: `dyn` goes with everything, and is checked at the evaluation.
 */
export class Substitution {
  private known = new Map<string, CelType>();
  private count = 0;

  fresh(): CelType {
    this.count += 1;
    return { kind: 'param', name: `T${this.count}` };
  }

  /** The type with all that is known of its parameters; with `settle`, unknown ones are `dyn`. */
  resolve(type: CelType, settle = false): CelType {
    if (type.kind !== 'param') return withParts(type, (part) => this.resolve(part, settle));
    const known = this.known.get(type.name);
    if (known !== undefined) return this.resolve(known, settle);
    return settle ? CEL.dyn : type;
  }

  /** The type with parameters of its own, as `A` of a signature, replaced by fresh ones of `names`. */
  instantiate(type: CelType, names: Map<string, CelType>): CelType {
    if (type.kind !== 'param') return withParts(type, (part) => this.instantiate(part, names));
    const fresh = names.get(type.name) ?? this.fresh();
    names.set(type.name, fresh);
    return fresh;
  }

  /** Whether each type may be given where its fellow is wanted; what follows for parameters is kept only then. */
  assignable(given: readonly CelType[], wanted: readonly CelType[]): boolean {
    if (given.length !== wanted.length) return false;
    const before = new Map(this.known);
    const fits = given.every((type, at) => this.fits(type, wanted[at] ?? CEL.dyn));
    if (!fits) this.known = before;
    return fits;
  }

  /** The type of a list's element, or of a map's, that has elements of both. */
  join(a: CelType, b: CelType): CelType {
    return this.assignable([b], [a]) ? moreGeneral(this.resolve(a), this.resolve(b)) : CEL.dyn;
  }

  private fits(given: CelType, wanted: CelType): boolean {
    if (wanted.kind === 'param') {
      const known = this.known.has(wanted.name);
      if (this.decide(given, wanted)) return true;
      if (known) return false;
    }
    if (given.kind === 'param') return this.decide(wanted, given);
    if (given.kind === 'dyn' || wanted.kind === 'dyn') return true;
    if (given.kind === 'null') return isNullable(wanted);
    if (wanted.kind === 'null') return isNullable(given);
    if (given.kind === 'wrapper' && wanted.kind !== 'wrapper') return given.of === wanted.kind;
    if (given.kind === 'list')
      return wanted.kind === 'list' && this.fits(given.element, wanted.element);
    if (given.kind === 'map') {
      return (
        wanted.kind === 'map' &&
        this.fits(given.key, wanted.key) &&
        this.fits(given.value, wanted.value)
      );
    }
    if (given.kind === 'type') return wanted.kind === 'type';
    if (wanted.kind === 'wrapper' && given.kind !== 'wrapper') return wanted.of === given.kind;
    return sameCelType(given, wanted);
  }

  /** Takes the type for the parameter, or for what is known of it the more general of both. */
  private decide(type: CelType, param: { readonly kind: 'param'; readonly name: string }): boolean {
    if (sameCelType(type, param)) return true;
    const known = this.known.get(param.name);
    if (known === undefined) {
      if (this.occurs(param.name, type)) return false;
      this.known.set(param.name, type);
      return true;
    }
    if (sameCelType(type, known)) return true;
    if (!this.fits(type, known)) return false;
    const general = moreGeneral(type, known);
    if (!this.occurs(param.name, general)) this.known.set(param.name, general);
    return true;
  }

  private occurs(name: string, type: CelType): boolean {
    if (type.kind === 'param') {
      const known = this.known.get(type.name);
      return type.name === name || (known !== undefined && this.occurs(name, known));
    }
    if (type.kind === 'list') return this.occurs(name, type.element);
    if (type.kind === 'type') return this.occurs(name, type.of);
    return type.kind === 'map' && (this.occurs(name, type.key) || this.occurs(name, type.value));
  }
}

/** The type with each of its parts replaced. */
function withParts(type: CelType, part: (type: CelType) => CelType): CelType {
  if (type.kind === 'list') return { kind: 'list', element: part(type.element) };
  if (type.kind === 'map') return { kind: 'map', key: part(type.key), value: part(type.value) };
  return type.kind === 'type' ? { kind: 'type', of: part(type.of) } : type;
}

function isNullable(type: CelType): boolean {
  return (
    type.kind === 'null' ||
    type.kind === 'message' ||
    type.kind === 'wrapper' ||
    type.kind === 'timestamp' ||
    type.kind === 'duration'
  );
}

function moreGeneral(a: CelType, b: CelType): CelType {
  return isAsGeneral(a, b) ? a : b;
}

function isAsGeneral(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'param') return false;
  // A wrapper holds all that its type does, and null; so does a message or a time and null.
  if (a.kind === 'wrapper') return b.kind === 'null' || b.kind === a.of || sameCelType(a, b);
  if (b.kind === 'null' && isNullable(a)) return true;
  if (a.kind === 'list') return b.kind === 'list' && isAsGeneral(a.element, b.element);
  if (a.kind === 'map') {
    return b.kind === 'map' && isAsGeneral(a.key, b.key) && isAsGeneral(a.value, b.value);
  }
  return sameCelType(a, b);
}
