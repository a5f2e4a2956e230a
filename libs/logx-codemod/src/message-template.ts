import { ts } from './npm-install/typescript.js';
import { isErrorLike } from './error-like.js';
import { holeName } from './hole-name.js';

/** A template and its arguments. */
export interface MessageTemplate {
  /** The template; literal braces are doubled. */
  readonly text: string;
  /** The arguments of the holes, in their order, followed by surplus ones. */
  readonly args: readonly ts.Expression[];
  /** The number of arguments that fill holes. */
  readonly holes: number;
}

/** The placeholders that pino fills: https://github.com/pinojs/quick-format-unescaped. */
const SPECIFIER = /%([sdifjoOc%])/g;

/**
 * The template for a message of pino with the values of its `%s`, or for a template literal. Undefined
 * for any other expression, and if values are missing.
 */
export function messageTemplate(
  message: ts.Expression,
  values: readonly ts.Expression[],
): MessageTemplate | undefined {
  const waiting = [...values];
  const names = new Map<string, string>();
  const args: ts.Expression[] = [];
  const hole = (value: ts.Expression): string => {
    args.push(value);
    // The text of an error, as `%s` and template literals write it, instead of all of its parts.
    return `{${isErrorLike(value) ? '$' : ''}${nameFor(value, names)}}`;
  };
  const literal = (text: string): string | undefined => {
    const escaped = text.replaceAll(/[{}]/g, '$&$&');
    // Without values pino does not change a text.
    if (values.length === 0) return escaped;
    let lacks = false;
    const filled = escaped.replaceAll(SPECIFIER, (specifier, kind: string) => {
      if (kind === '%') return '%';
      const value = waiting.shift();
      lacks ||= value === undefined;
      return value === undefined ? specifier : hole(value);
    });
    return lacks ? undefined : filled;
  };
  const parts = ts.isStringLiteralLike(message)
    ? [literal(message.text)]
    : ts.isTemplateExpression(message)
      ? [
          literal(message.head.text),
          ...message.templateSpans.flatMap(({ expression, literal: { text } }) => [
            hole(expression),
            literal(text),
          ]),
        ]
      : [undefined];
  if (parts.includes(undefined)) return undefined;
  return { text: parts.join(''), args: [...args, ...waiting], holes: args.length };
}

/** A separate name for each value; the same value keeps its name. */
function nameFor(value: ts.Expression, names: Map<string, string>): string {
  const code = value.getText();
  const known = names.get(code);
  if (known !== undefined) return known;
  const taken = new Set(names.values());
  const wanted = holeName(value);
  let name = wanted;
  for (let n = 2; taken.has(name); n += 1) name = `${wanted}${n}`;
  names.set(code, name);
  return name;
}
