import { ts } from './npm-install/typescript.js';
import type { FileChange } from './file-change.js';
import type { LeftOver } from './left-over.js';

/** Replaces `Logger` of nestjs-pino, a logger for Nest, by `LogxLoggerService`. */
export function changeNestLogger(change: FileChange): void {
  for (const { exported, references, specifier } of change.file.names) {
    if (exported !== 'Logger') continue;
    const wrong = references.filter(
      ({ parent }) => ts.isExpressionWithTypeArguments(parent) || ts.isNewExpression(parent),
    );
    for (const reference of wrong) {
      change.leftOvers.push({
        position: reference.getStart(),
        what: `Logger, extended or made by hand: ${reference.parent.getText()}`,
        remedy: 'derive it from LogxLoggerService, whose constructor takes a Logger of @apix/logx',
        row: '`Logger`',
      });
    }
    if (wrong.length > 0) continue;
    const isType =
      specifier.isTypeOnly || specifier.parent.parent.phaseModifier === ts.SyntaxKind.TypeKeyword;
    for (const reference of references) change.rename(reference, 'LogxLoggerService', isType);
  }
}

/** Removes the interceptor: a failure always has exactly one event with its error. */
export function changeErrorInterceptor(change: FileChange): void {
  for (const { exported, references } of change.file.names) {
    if (exported !== 'LoggerErrorInterceptor') continue;
    for (const reference of references) {
      if (!removeInterceptor(reference, change)) {
        change.leftOvers.push({
          position: reference.getStart(),
          what: `LoggerErrorInterceptor in ${reference.parent.getText().slice(0, 60)}`,
          remedy: 'take it out: a failure has its error, stack and causes in one event',
          row: '`LoggerErrorInterceptor`',
        });
      }
    }
  }
}

function removeInterceptor(reference: ts.Identifier, change: FileChange): boolean {
  const { parent } = reference;
  if (ts.isNewExpression(parent) && ts.isCallExpression(parent.parent)) {
    const call = parent.parent;
    if (!call.expression.getText().endsWith('.useGlobalInterceptors')) return false;
    if (call.arguments.length > 1) change.removeElement(parent, call.arguments);
    else if (ts.isExpressionStatement(call.parent)) change.removeLines(call.parent);
    else return false;
    change.gone(reference);
    return true;
  }
  const provider = parent.parent;
  const isProvider =
    ts.isPropertyAssignment(parent) &&
    parent.name.getText() === 'useClass' &&
    ts.isObjectLiteralExpression(provider) &&
    provider.properties.length === 2 &&
    ts.isArrayLiteralExpression(provider.parent);
  if (!isProvider) return false;
  change.removeElement(provider, provider.parent.elements);
  change.gone(reference);
  for (const member of provider.properties) {
    if (ts.isPropertyAssignment(member)) change.gone(member.initializer);
  }
  return true;
}

/** The other exports of nestjs-pino, and what to do about each. */
const REMEDIES: Readonly<Record<string, readonly [remedy: string, row: string]>> = {
  NativeLogger: ['use LogxLoggerService', '`NativeLogger`'],
  Params: ['use LogxModuleOptions, with options of LogxModule', '`forRootAsync`'],
  LoggerModuleAsyncParams: ['write the options where forRootAsync is called', '`forRootAsync`'],
  PARAMS_PROVIDER_TOKEN: ['inject LOGX_OPTIONS', '`forRootAsync`'],
  storage: ['use runWithLogger and fromContext', '`PinoLogger.runInContext`'],
  Store: ['use runWithLogger and fromContext', '`PinoLogger.runInContext`'],
  registerMicroserviceLogging: [
    'give connectMicroservice { inheritAppConfig: true }',
    '`registerMicroserviceLogging`',
  ],
};

const CHANGED =
  /^(?:Logger|LoggerErrorInterceptor|LoggerModule|PinoLogger|InjectPinoLogger|getLoggerToken)$/;

/** Names of nestjs-pino that have no counterpart. */
export function otherNames(change: FileChange): LeftOver[] {
  return change.file.names
    .filter(({ exported }) => !CHANGED.test(exported))
    .flatMap(({ exported, references }) => {
      const [remedy, row] = REMEDIES[exported] ?? ['look for it on the migration page', undefined];
      const open = references.filter((it) => !change.isGone(it));
      return open.map((it) => ({
        position: it.getStart(),
        what: `${exported} of nestjs-pino`,
        remedy,
        row,
      }));
    });
}
