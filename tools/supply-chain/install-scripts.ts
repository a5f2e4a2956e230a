/** The packages that run code when they are installed, and why that is borne. */
export const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  '@apollo/protobufjs': 'of @nestjs/graphql, in our tests alone; prints a warning about versions',
  '@bufbuild/buf': 'a program that is put in place for the platform; compiles our protos',
  '@parcel/watcher': 'of the Nest CLI, for `--watch`; builds itself where no binary fits',
  '@scarf/scarf':
    'of swagger-ui-dist; reports the installation to its vendor, unless SCARF_ANALYTICS=false. Nothing that runs needs it',
  '@swc/core': 'looks whether the binary of the platform is there; compiles our tests',
  esbuild: 'a program that is put in place for the platform; bundles our tools',
  koffi:
    'calls the service manager of Windows; its binaries are in the package, so that nothing is built',
  'msgpackr-extract': 'of bullmq, optional; builds itself where no binary fits',
  protobufjs: 'of @grpc/proto-loader; prints a warning about versions',
  'unrs-resolver': 'of jest; looks whether the binary of the platform is there',
};
