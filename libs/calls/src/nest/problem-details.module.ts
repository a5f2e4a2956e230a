import { Inject, Module } from '@nestjs/common';
import { ApixExceptionFilter } from './exception.filter.js';
import { ExceptionsModule } from './exceptions.module.js';

/**
 * Answers of hand-written HTTP handlers to errors become problem documents (RFC 9457,
 * `application/problem+json`), as those of gateway routes are, wherever no filter of the app catches
 * the error. Without this module they stay as Nest makes them.
 */
@Module({ imports: [ExceptionsModule] })
export class ProblemDetailsModule {
  constructor(@Inject(ApixExceptionFilter) filter: ApixExceptionFilter) {
    filter.writeProblems();
  }
}
