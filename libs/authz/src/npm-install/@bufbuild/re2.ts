/** Why: docs/decisions/0240 */
export { RE2JS } from '@bufbuild/re2';
