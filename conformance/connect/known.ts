import type { Known } from './cases.js';

/** Cases that our gateway answers differently, and why. */
export const KNOWN: readonly Known[] = [];
