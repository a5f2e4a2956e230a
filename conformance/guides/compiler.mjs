export const COMPILER = 'npm install --save-dev typescript@6 @types/node@20';

/** As for a Nest app; decorators need both options. */
export const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'ES2023',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    rootDir: 'src',
    outDir: 'dist',
  },
  include: ['src'],
});
