export { bearerSubject } from './bearer-subject.js';
export { bearerToken } from './bearer-token.js';
export type { BearerSubjectOptions, KeySource } from './bearer-subject.js';
