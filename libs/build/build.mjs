// Compiles src and libs to dist with the Swagger plugin of nest-cli.json, which turns DTO comments and
// types into the OpenAPI document. `nest build` would do the same, but its command line asks for Node 22.
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import * as swaggerPlugin from '@nestjs/swagger/plugin';

const host = {
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  useCaseSensitiveFileNames: ts.sys.useCaseSensitiveFileNames,
  getCurrentDirectory: ts.sys.getCurrentDirectory,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => fail([diagnostic]),
};

function fail(diagnostics) {
  process.stderr.write(
    ts.formatDiagnosticsWithColorAndContext(diagnostics, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: ts.sys.getCurrentDirectory,
      getNewLine: () => '\n',
    }),
  );
  process.exit(1);
}

const { options, fileNames } = ts.getParsedCommandLineOfConfigFile('tsconfig.json', {}, host);
const program = ts.createIncrementalProgram({ rootNames: fileNames, options });
const [plugin] = JSON.parse(readFileSync('nest-cli.json', 'utf8')).compilerOptions.plugins;

const before = [swaggerPlugin.before(plugin.options, program.getProgram())];
const emitted = program.emit(undefined, undefined, undefined, false, { before });
const diagnostics = [
  ...program.getConfigFileParsingDiagnostics(),
  ...program.getSyntacticDiagnostics(),
  ...program.getSemanticDiagnostics(),
  ...emitted.diagnostics,
];
if (diagnostics.length > 0) fail(diagnostics);
