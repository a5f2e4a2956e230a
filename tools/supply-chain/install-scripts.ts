/** The packages that run code when they are installed, and why that is borne. */
export const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  '@apollo/protobufjs':
    'from @nestjs/graphql, used only in our tests; prints a warning about versions',
  '@bufbuild/buf': 'installs the program for the platform; compiles our protos',
  '@parcel/watcher':
    'from the Nest CLI, for `--watch`; is compiled if there is no binary for the platform',
  '@scarf/scarf':
    'from swagger-ui-dist; reports the installation to its vendor, unless SCARF_ANALYTICS=false. It is not needed at run time',
  '@swc/core': 'checks for the binary of the platform; compiles our tests',
  esbuild: 'installs the program for the platform; bundles our tools',
  koffi:
    'calls the service manager of Windows; its binaries are in the package, so nothing is compiled',
  'msgpackr-extract': 'from bullmq, optional; is compiled if there is no binary for the platform',
  protobufjs: 'from @grpc/proto-loader; prints a warning about versions',
  'unrs-resolver': 'from jest; checks for the binary of the platform',
};
