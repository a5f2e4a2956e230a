type Names = Readonly<Record<string, unknown>>;

/** A part of a plan of Cerbos, in JSON. */
export interface PlanOperand {
  readonly value?: unknown;
  readonly variable?: string;
  readonly expression?: { readonly operator: string; readonly operands?: readonly PlanOperand[] };
}

/** The answer to a question for a plan. */
export interface Plan {
  readonly kind: 'KIND_ALWAYS_ALLOWED' | 'KIND_ALWAYS_DENIED' | 'KIND_CONDITIONAL';
  readonly condition?: PlanOperand;
}

/**
 * Whether a plan lets a record through. In a ternary it still reads the caller.
 *
 * @param request `{ principal, resource }` as in the policies.
 */
export function planAllows({ kind, condition }: Plan, request: Names): boolean {
  if (kind !== 'KIND_CONDITIONAL') return kind === 'KIND_ALWAYS_ALLOWED';
  return valueOf(condition!, request) === true;
}

function readVariable(variable: string, request: Names): unknown {
  const [, ...path] = variable.split('.');
  return path.reduce<unknown>((holder, name) => (holder as Names | undefined)?.[name], request);
}

/** Undefined is an error, as CEL has them. */
function valueOf({ value, variable, expression }: PlanOperand, request: Names): unknown {
  if (expression === undefined) {
    return variable === undefined ? value : readVariable(variable, request);
  }
  const { operator, operands = [] } = expression;
  // Of a caller whose attributes it could not compute with, a plan has all of them, and what is read of them.
  if (operator === 'get-field') {
    const [from, field] = operands;
    const holder = valueOf(from!, request) as Names | undefined;
    return holder?.[field!.variable ?? String(field!.value)];
  }
  const values = operands.map((operand) => valueOf(operand, request));
  const [a, b] = values;
  switch (expression.operator) {
    case 'and':
    case 'or': {
      const decisive = expression.operator === 'or';
      if (values.includes(decisive)) return decisive;
      return values.every((each) => each === !decisive) ? !decisive : undefined;
    }
    case 'not':
      return typeof a === 'boolean' ? !a : undefined;
    case 'set-field':
    case 'list':
      return values;
    case 'size':
      return Array.from(a as string).length;
    case 'struct':
      return Object.fromEntries(values as [string, unknown][]);
    case 'if':
      return typeof a === 'boolean' ? values[a ? 1 : 2] : undefined;
  }
  if (a === undefined || b === undefined) return undefined;
  switch (expression.operator) {
    case 'eq':
      return a === b;
    case 'ne':
      return a !== b;
    case 'in':
      return (b as unknown[]).includes(a);
    case 'lt':
      return (a as number) < (b as number);
    case 'le':
      return (a as number) <= (b as number);
    case 'gt':
      return (a as number) > (b as number);
    case 'ge':
      return (a as number) >= (b as number);
    case 'startsWith':
    case 'endsWith':
      return (a as string)[expression.operator](b as string);
    case 'contains':
      return (a as string).includes(b as string);
    default:
      throw new Error(
        `the operator ${expression.operator} of a plan is not known here: ${JSON.stringify(expression)}`,
      );
  }
}
