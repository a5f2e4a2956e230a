import { safely } from '../value/safely.js';

/** The methods of Nest's contexts of its transports that return what a message was sent to. */
const METHODS = ['getPattern', 'getSubject', 'getTopic', 'getChannel'] as const;

/** What a message was sent to: a pattern, subject, topic or channel; '' if its transport does not tell. */
export function patternOf(context: unknown): string {
  return safely(
    () => {
      if (typeof context !== 'object' || context === null) return '';
      for (const method of METHODS) {
        const read: unknown = Reflect.get(context, method);
        if (typeof read !== 'function') continue;
        const pattern: unknown = Reflect.apply(read, context, []);
        if (typeof pattern === 'string') return pattern;
      }
      return '';
    },
    () => '',
  );
}
