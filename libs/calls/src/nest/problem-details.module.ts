import { Inject, Module } from '@nestjs/common';
import { ApixExceptionFilter } from './exception.filter.js';
import { ExceptionsModule } from './exceptions.module.js';

/**
 * Makes hand-written HTTP handlers answer errors with problem documents (RFC 9457,
 * `application/problem+json`), as gateway routes do, unless a filter of the app catches the error. Without
 * this module, Nest's own form is used.
 */
@Module({ imports: [ExceptionsModule] })
export class ProblemDetailsModule {
  constructor(@Inject(ApixExceptionFilter) filter: ApixExceptionFilter) {
    filter.writeProblems();
  }
}
