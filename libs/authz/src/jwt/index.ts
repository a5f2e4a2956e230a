export { bearerSubject } from './bearer-subject.js';
export { KeyFile } from './key-file.js';
export type { BearerSubjectOptions } from './bearer-subject.js';
export type { KeySource } from './key-source.js';
