import { HttpException } from '@nestjs/common';
import { problemOf } from '../status/problem.js';
import type { Answer } from './answer.js';

/**
 * The problem document of what was thrown. An HttpException keeps the members that it was given
 * (`errorCode`, the list of a validation), which also replace those of the document, but for the status.
 */
export function problemAnswer({ error, status, expected }: Answer, exception: unknown): object {
  const problem = problemOf(error, { status });
  // What nobody threw on purpose says nothing, and may be impossible to read.
  if (!expected || !(exception instanceof HttpException)) return problem;
  const own = exception.getResponse();
  if (typeof own !== 'object') return problem;
  const { statusCode: _, message, error: title, ...members } = own as Record<string, unknown>;
  return {
    ...problem,
    ...members,
    // Texts stand in the document already, as its detail and its title.
    ...(typeof message !== 'string' && message !== undefined && { message }),
    ...(typeof title !== 'string' && title !== undefined && { error: title }),
    status,
  };
}
