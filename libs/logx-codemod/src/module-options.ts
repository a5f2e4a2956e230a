import { ts } from './npm-install/typescript.js';
import { visit } from './app-file.js';
import { constantIn } from './files-of-app.js';
import type { FileChange } from './file-change.js';
import type { LeftOver } from './left-over.js';
import { idOptions } from './request-id-option.js';
import { outcomeFunction, requestFunction } from './request-functions.js';
import { sinksOf } from './sinks-of.js';

/** The converted options of `LogxModule`: the code of their values, by name. */
export interface ModuleOptions {
  readonly top: Map<string, string>;
  readonly http: Map<string, string>;
  readonly sinks: string[];
  /** Constants whose members have moved to the options. */
  readonly inlined: ts.Node[];
}

/** Converts an option; returns whether it could. */
type Reader = (value: ts.Expression, options: ModuleOptions, change: FileChange) => boolean;

const LEVEL = /^(['"])(?:trace|debug|info|warn|error|fatal)\1$/;

/** Options of nestjs-pino next to `pinoHttp` that are not needed here. */
const NEEDLESS: Readonly<Record<string, RegExp>> = {
  assignResponse: /./,
  quietReqLogger: /./,
  quietResLogger: /./,
  microservice: /^true$/,
  enabled: /^true$/,
  autoLogging: /^true$/,
  timestamp: /^true$/,
  base: /^(?:null|undefined)$/,
};

const READERS: Readonly<Record<string, Reader>> = {
  level: (value, { top, sinks }, change) => {
    if (/^['"]silent['"]$/.test(value.getText())) return sinks.push('') > 0;
    const level = levelCode(value, change);
    if (level !== undefined) top.set('level', level);
    return level !== undefined;
  },
  name: (value, { top }) => {
    top.set('fields', `{ service: ${value.getText()} }`);
    return true;
  },
  base: (value, { top }) => {
    if (!ts.isObjectLiteralExpression(value) || top.has('fields')) return false;
    top.set('fields', value.getText());
    return true;
  },
  redact: (value, { top }, change) => {
    if (!isRedaction(value, change)) return false;
    top.set('redact', value.getText());
    return true;
  },
  enabled: (value, { sinks }) => value.getText() === 'false' && sinks.push('') > 0,
  timestamp: (value, { top }) => {
    const code = value.getText();
    if (code === 'false') top.set('timestamp', 'false');
    else if (/isoTime$|toISOString\(\)/.test(code)) top.set('timeFormat', "'TimeRFC3339Ms'");
    else if (code.endsWith('epochTime')) top.set('timeFormat', "'TimeUnixMs'");
    else return false;
    return true;
  },
  depthLimit: (value, { top }) => limit('depth', value, top),
  edgeLimit: (value, { top }) => limit('items', value, top),
  transport: (value, { sinks }, change) => {
    const made = sinksOf(value, change);
    sinks.push(...(made ?? []));
    return made !== undefined;
  },
  stream: (value, { sinks }, change) => {
    sinks.push(`${change.use('streamSink')}(${value.getText()})`);
    return true;
  },
  genReqId: (value, { http }) => {
    const found = idOptions(value);
    for (const [name, code] of Object.entries(found ?? {})) http.set(name, code);
    return found !== undefined;
  },
  autoLogging: (value, { http }) => {
    if (value.getText() === 'false') http.set('skip', '() => true');
    else {
      const [only, ...others] = ts.isObjectLiteralExpression(value) ? value.properties : [];
      if (only === undefined || others.length > 0 || only.name?.getText() !== 'ignore')
        return false;
      const code = requestFunction(only);
      if (code === undefined) return false;
      http.set('skip', code);
    }
    return true;
  },
  customProps: (value, { http }) => {
    const code = requestFunction(value);
    if (code !== undefined) http.set('fields', code);
    return code !== undefined;
  },
  useLevel: (value, { http }) => {
    if (!LEVEL.test(value.getText()) || http.has('levels')) return false;
    http.set('levels', `{ '2xx': ${value.getText()} }`);
    return true;
  },
  customLogLevel: (value, { http }) => {
    const code = outcomeFunction(value);
    if (code !== undefined) http.set('levels', code);
    return code !== undefined;
  },
  customAttributeKeys: (value, { http }) => {
    const [only, ...others] = ts.isObjectLiteralExpression(value) ? value.properties : [];
    if (only === undefined || others.length > 0 || only.name?.getText() !== 'reqId') return false;
    if (!ts.isPropertyAssignment(only)) return false;
    http.set('field', only.initializer.getText());
    return true;
  },
};

/** Converts the members of the options or of `pinoHttp`; returns those that it cannot convert. */
export function readMembers(
  members: readonly ts.ObjectLiteralElementLike[],
  options: ModuleOptions,
  change: FileChange,
): LeftOver[] {
  return members.flatMap((member) => {
    const name = member.name?.getText() ?? '';
    const value = valueOf(member);
    const inlined = inlinedMembers(member, options, change);
    if (inlined !== undefined) return readMembers(inlined, options, change);
    if (ts.isSpreadAssignment(member)) {
      const read = spreadTransport(member, options, change);
      return read ? [] : [leftOption(member, 'a spread')];
    }
    if (name === 'pinoHttp' && value !== undefined && ts.isObjectLiteralExpression(value)) {
      return readMembers(value.properties, options, change);
    }
    const isRead =
      (value !== undefined && NEEDLESS[name]?.test(value.getText())) ||
      (value !== undefined && READERS[name]?.(value, options, change)) ||
      (value === undefined && readMethod(member, name, options, change));
    return isRead ? [] : [leftOption(member, name)];
  });
}

/**
 * The members of a constant that `pinoHttp` is, or that is spread, if it is used only here: they move to the
 * options, and the constant is removed.
 */
function inlinedMembers(
  member: ts.ObjectLiteralElementLike,
  { inlined }: ModuleOptions,
  change: FileChange,
): readonly ts.ObjectLiteralElementLike[] | undefined {
  const isSpread = ts.isSpreadAssignment(member);
  if (!isSpread && member.name?.getText() !== 'pinoHttp') return undefined;
  const value = isSpread ? member.expression : valueOf(member);
  if (value === undefined || !ts.isIdentifier(value)) return undefined;
  const constant = constantIn(change.file, value.text);
  if (constant === undefined || constant.isExported || constant.uses.length !== 1) return undefined;
  const { declaration, initializer } = constant;
  const statement = declaration.parent.parent;
  if (!ts.isObjectLiteralExpression(initializer) || !ts.isVariableStatement(statement))
    return undefined;
  if (declaration.parent.declarations.length > 1) return undefined;
  inlined.push(initializer);
  change.removeDeclaration(statement);
  change.gone(value);
  if (declaration.type !== undefined) visit(declaration.type, (it) => change.gone(it));
  return initializer.properties;
}

function valueOf(member: ts.ObjectLiteralElementLike): ts.Expression | undefined {
  if (ts.isPropertyAssignment(member)) return member.initializer;
  return ts.isShorthandPropertyAssignment(member) ? member.name : undefined;
}

function readMethod(
  member: ts.ObjectLiteralElementLike,
  name: string,
  { http }: ModuleOptions,
  _change: FileChange,
): boolean {
  if (!ts.isMethodDeclaration(member) || name !== 'customProps') return false;
  const code = requestFunction(member);
  if (code !== undefined) http.set('fields', code);
  return code !== undefined;
}

/** `...(isDevelopment ? { transport } : {})` and `...(isDevelopment && { transport })`. */
function spreadTransport(
  { expression }: ts.SpreadAssignment,
  { sinks }: ModuleOptions,
  change: FileChange,
): boolean {
  const inner = ts.isParenthesizedExpression(expression) ? expression.expression : expression;
  const isAnd =
    ts.isBinaryExpression(inner) &&
    inner.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  const [condition, whenTrue, whenFalse] = isAnd
    ? [inner.left, inner.right, undefined]
    : ts.isConditionalExpression(inner)
      ? [inner.condition, inner.whenTrue, inner.whenFalse]
      : [];
  if (condition === undefined || whenTrue === undefined) return false;
  const one = transportIn(whenTrue);
  const other = whenFalse === undefined ? 'none' : transportIn(whenFalse);
  if (one === undefined || other === undefined || one === 'none') return false;
  const [yes] = sinksOf(one, change) ?? [];
  const stdout = `${change.use('stdoutSink')}()`;
  const [no] = other === 'none' ? [stdout] : (sinksOf(other, change) ?? []);
  if (yes === undefined || no === undefined) return false;
  sinks.push(`${condition.getText()} ? ${yes} : ${no}`);
  return true;
}

function transportIn(node: ts.Expression): ts.Expression | 'none' | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const [only, ...others] = node.properties;
  if (only === undefined) return 'none';
  const isTransport = others.length === 0 && only.name?.getText() === 'transport';
  return isTransport ? valueOf(only) : undefined;
}

/** The code of a level; a level that is known only at run time is parsed at run time. */
function levelCode(value: ts.Expression, change: FileChange): string | undefined {
  const code = value.getText();
  if (LEVEL.test(code)) return code;
  if (ts.isConditionalExpression(value)) {
    const { condition, whenTrue, whenFalse } = value;
    const one = levelCode(whenTrue, change);
    const other = levelCode(whenFalse, change);
    if (one === undefined || other === undefined) return undefined;
    return `${condition.getText()} ? ${one} : ${other}`;
  }
  if (/silent/.test(code) || ts.isStringLiteralLike(value)) return undefined;
  const isKnown = ts.isBinaryExpression(value) && LEVEL.test(value.right.getText());
  const isEnvironment = /^process\.env(?:\.\w+|\[['"]\w+['"]\])$/;
  const parse = change.use('parseLevel');
  if (isKnown && isEnvironment.test(value.left.getText())) return `${parse}(${code})`;
  const quoted = `${change.style.quote}info${change.style.quote}`;
  const isSimple =
    ts.isCallExpression(value) || ts.isPropertyAccessExpression(value) || ts.isIdentifier(value);
  return `${parse}(String(${isKnown ? code : isSimple ? `${code} ?? ${quoted}` : `(${code}) ?? ${quoted}`}))`;
}

function isRedaction(given: ts.Expression, { file }: FileChange): boolean {
  const known = (node: ts.Expression): ts.Expression =>
    ts.isIdentifier(node) ? (constantIn(file, node.text)?.initializer ?? node) : node;
  const isTexts = (node: ts.Expression): boolean => {
    const array = known(node);
    return (
      ts.isArrayLiteralExpression(array) && array.elements.every((it) => ts.isStringLiteralLike(it))
    );
  };
  const value = known(given);
  if (!ts.isObjectLiteralExpression(value)) return isTexts(value);
  return value.properties.every((member) => {
    const initializer = valueOf(member);
    if (initializer === undefined) return false;
    const name = member.name?.getText();
    if (name === 'paths') return isTexts(initializer);
    return name === 'remove' || (name === 'censor' && ts.isStringLiteralLike(initializer));
  });
}

function limit(name: string, value: ts.Expression, top: Map<string, string>): boolean {
  const before = top.get('limits')?.slice(1, -1).trim();
  const own = `${name}: ${value.getText()}`;
  top.set('limits', `{ ${before === undefined ? own : `${before}, ${own}`} }`);
  return true;
}

/** Options that have a row under their own name. */
const ROWS: ReadonlySet<string> = new Set(
  (
    'level name base stream transport redact timestamp depthLimit edgeLimit mixin messageKey errorKey ' +
    'nestedKey formatters customLevels useOnlyCustomLevels levelVal levelComparison serializers ' +
    'wrapSerializers hooks msgPrefix crlf safe onChild browser genReqId forRoutes exclude useLevel ' +
    'customLogLevel customProps customReceivedMessage customReceivedObject customSuccessMessage ' +
    'customErrorMessage customSuccessObject customErrorObject useExisting renameContext assignResponse'
  ).split(' '),
);

function leftOption(member: ts.Node, name: string): LeftOver {
  return {
    position: member.getStart(),
    what: `the option ${name} of LoggerModule`,
    remedy: 'take the module over by hand, or take this option out and run this again',
    row: ROWS.has(name) ? `\`${name}\`` : undefined,
  };
}
