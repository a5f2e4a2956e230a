import 'reflect-metadata';
import type { MethodConditions } from '../conditions/method-conditions.js';
import type { ControllerClass } from './policy-metadata.js';

/** Under which Nest keeps the decorators of a handler's parameters. */
const PARAMETERS = '__routeArguments__';
/** The numbers that Nest gives to parameters; that of a body is also that of messages and of GraphQL's arguments. */
const BODY = 3;
const QUERY = 4;
const PARAMS = 5;
/** The parts of an HTTP request, by their names in expressions. */
const PARTS: Readonly<Record<string, readonly [number, string]>> = {
  params: [PARAMS, '@Param()'],
  query: [QUERY, '@Query()'],
  body: [BODY, '@Body()'],
};
/** The index of what a handler without decorated parameters gets. */
const UNDECORATED: Readonly<Record<string, number>> = { rpc: 0, ws: 1, graphql: 1 };

interface HandlerParameter {
  readonly index: number;
  /** The name of the member that it has; anything else: all of them. */
  readonly data?: unknown;
  /** Of a decorator of `createParamDecorator`. */
  readonly factory?: unknown;
}

/** The parameters of a handler that have decorators, each with the number of Nest's own; NaN for others. */
function parametersOf(
  controller: ControllerClass,
  key: string,
): readonly (readonly [kind: number, HandlerParameter])[] {
  const metadata = Reflect.getMetadata(PARAMETERS, controller, key) as
    Readonly<Record<string, HandlerParameter>> | undefined;
  return Object.entries(Object(metadata) as Record<string, HandlerParameter>).map(
    ([name, parameter]) => [
      /^\d+:\d+$/.test(name) ? Number.parseInt(name, 10) : Number.NaN,
      parameter,
    ],
  );
}

/** The indexes of parameters whose decorator has this factory. */
export function parametersBy(
  factory: unknown,
  controller: ControllerClass,
  key: string,
): readonly number[] {
  return parametersOf(controller, key)
    .filter(([, parameter]) => parameter.factory === factory)
    .map(([, { index }]) => index);
}

/** Reads what expressions know as `request` from the arguments of a handler, as its pipes have left them. */
export type ReadArguments = (args: readonly unknown[]) => unknown;

/** How the `request` of conditions is read from the arguments of a handler, at an entry point of a type of Nest's. */
export function argumentsReader(
  type: string,
  controller: ControllerClass,
  key: string,
): ReadArguments {
  const parameters = parametersOf(controller, key);
  if (type !== 'http') {
    const index = parameters.length === 0 ? UNDECORATED[type] : undefined;
    return index === undefined ? partReader(parameters, BODY) : (args) => args[index];
  }
  const parts = Object.entries(PARTS).map(
    ([name, [kind]]) => [name, partReader(parameters, kind)] as const,
  );
  return (args) => Object.fromEntries(parts.map(([name, read]) => [name, read(args)]));
}

function partReader(parameters: ReturnType<typeof parametersOf>, kind: number): ReadArguments {
  const own = parameters.filter(([each]) => each === kind).map(([, parameter]) => parameter);
  const whole = own.find(({ data }) => !isName(data));
  if (whole !== undefined) return (args) => args[whole.index];
  const members = own.map(({ index, data }) => [data as string, index] as const);
  return members.length === 0
    ? () => undefined
    : (args) => Object.fromEntries(members.map(([name, index]) => [name, args[index]]));
}

function isName(data: unknown): boolean {
  return typeof data === 'string' && data !== '';
}

/** What of a declared request the handler does not get, or gets twice. */
export function argumentMistakes(
  { input }: MethodConditions,
  isHttp: boolean,
  controller: ControllerClass,
  key: string,
): string[] {
  const parameters = parametersOf(controller, key);
  if (!isHttp) {
    if (parameters.length === 0) return [];
    const names = input.fields.map(({ name }) => name);
    return partMistakes(
      parameters,
      [BODY, '@Payload(), @MessageBody() or @Args()'],
      'request',
      names,
    );
  }
  return input.fields.flatMap((field) => {
    const part = Object.hasOwn(PARTS, field.name) ? PARTS[field.name] : undefined;
    if (part === undefined) {
      return [`request.${field.name} is not a part of a request; use params, query and body`];
    }
    if (field.fieldKind !== 'message' || field.message.typeName !== `request.${field.name}`) {
      return [`request.${field.name} must be an object that has the type of each member`];
    }
    const names = field.message.fields.map(({ name }) => name);
    return partMistakes(parameters, part, `request.${field.name}`, names);
  });
}

function partMistakes(
  parameters: ReturnType<typeof parametersOf>,
  [kind, decorator]: readonly [number, string],
  path: string,
  names: readonly string[],
): string[] {
  const own = parameters.filter(([each]) => each === kind).map(([, parameter]) => parameter);
  const whole = own.filter(({ data }) => !isName(data)).length;
  return names.flatMap((name) => {
    const count = whole + own.filter(({ data }) => data === name).length;
    if (count === 1) return [];
    const at = `${path}.${name}`;
    return count === 0
      ? [`the handler does not get ${at}; give it a parameter with ${decorator}`]
      : [`the handler gets ${at} by several parameters; keep one`];
  });
}
