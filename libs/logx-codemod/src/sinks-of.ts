import { ts } from './npm-install/typescript.js';
import type { FileChange } from './file-change.js';

/** The code of the sinks for a transport of pino; undefined for one that is not known by its syntax. */
export function sinksOf(transport: ts.Expression, change: FileChange): string[] | undefined {
  if (ts.isParenthesizedExpression(transport)) return sinksOf(transport.expression, change);
  if (ts.isConditionalExpression(transport)) {
    const { condition, whenTrue, whenFalse } = transport;
    const one = sinksOf(whenTrue, change);
    const other = sinksOf(whenFalse, change);
    if (one?.length !== 1 || other?.length !== 1) return undefined;
    return [`${condition.getText()} ? ${one[0]} : ${other[0]}`];
  }
  if (transport.getText() === 'undefined') return [`${change.use('stdoutSink')}()`];
  if (!ts.isObjectLiteralExpression(transport)) return undefined;
  const targets = writtenMember(transport, 'targets');
  if (targets === undefined) {
    const one = sinkOf(transport, change);
    return one === undefined ? undefined : [one];
  }
  if (!ts.isArrayLiteralExpression(targets) || transport.properties.length > 1) return undefined;
  const sinks = targets.elements.map((it) =>
    ts.isObjectLiteralExpression(it) ? sinkOf(it, change) : undefined,
  );
  return sinks.includes(undefined) ? undefined : (sinks as string[]);
}

function sinkOf(target: ts.ObjectLiteralExpression, change: FileChange): string | undefined {
  const name = writtenMember(target, 'target');
  const options = writtenMember(target, 'options');
  const level = writtenMember(target, 'level');
  if (name === undefined || !ts.isStringLiteralLike(name)) return undefined;
  if (
    level !== undefined &&
    !/^['"](?:trace|debug|info|warn|error|fatal)['"]$/.test(level.getText())
  ) {
    return undefined;
  }
  const minLevel = level === undefined ? '' : `{ minLevel: ${level.getText()} }`;
  const destination =
    options !== undefined && ts.isObjectLiteralExpression(options)
      ? writtenMember(options, 'destination')
      : undefined;
  if (name.text === 'pino-pretty' && destination === undefined) {
    return `${change.use('consoleSink')}(${minLevel})`;
  }
  if (name.text !== 'pino/file') return undefined;
  if (destination === undefined || destination.getText() === '1') {
    return options === undefined || destination !== undefined
      ? `${change.use('stdoutSink')}(${minLevel})`
      : undefined;
  }
  if (destination.getText() === '2') return `${change.use('stderrSink')}(${minLevel})`;
  const path = destination.getText();
  return ts.isStringLiteralLike(destination)
    ? `${change.use('fileSink')}(${minLevel === '' ? path : `${path}, ${minLevel}`})`
    : undefined;
}

/** The value of a member that is written out. */
export function writtenMember(
  node: ts.ObjectLiteralExpression,
  name: string,
): ts.Expression | undefined {
  const member = node.properties.find((it) => it.name?.getText() === name);
  return member !== undefined && ts.isPropertyAssignment(member) ? member.initializer : undefined;
}
