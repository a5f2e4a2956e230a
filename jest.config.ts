/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

/**
 * Tests run the sources of every package as ES modules: `@apix/name` and
 * `@apix/name/subpath` resolve to `libs/name/src`, never to a built `dist`.
 */
const config: Config = {
  testEnvironment: 'node',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools'],
  testMatch: ['**/*.spec.ts'],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: {
    '^@apix/([^/]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@apix/([^/]+)/([^/]+)$': '<rootDir>/libs/$1/src/$2/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  // Many tests wait for sockets and processes: two workers use two cores to 63 %, and take half as long again.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // What hangs fails after a minute as well; on a busy machine a process of Node may take 20 s to start.
  testTimeout: 60_000,
  workerIdleMemoryLimit: '512MB',
  coverageProvider: 'v8',
};

export default config;
