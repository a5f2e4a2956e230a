export { ExceptionsModule } from './exceptions.module.js';
export { ProblemDetailsModule } from './problem-details.module.js';
export { httpExceptionOf, statusErrorIn } from './http-exception-of.js';

export { ApixExceptionFilter } from './exception.filter.js';
