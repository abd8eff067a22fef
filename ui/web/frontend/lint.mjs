// Checks the types and lints in one program, so that types are worked out once.
import { ESLint } from "eslint";
import ts from "typescript";

const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, import.meta.dirname);
const program = ts.createProgram(fileNames, options);
const faults = [...errors, ...ts.getPreEmitDiagnostics(program)];
const host = { getCanonicalFileName: (name) => name, getCurrentDirectory: ts.sys.getCurrentDirectory, getNewLine: () => "\n" };
process.stdout.write(ts.formatDiagnostics(faults, host));

const eslint = new ESLint({
  overrideConfig: {
    files: ["**/*.ts", "**/*.tsx"],
    languageOptions: { parserOptions: { projectService: false, programs: [program] } },
  },
});
const results = await eslint.lintFiles(".");
const formatter = await eslint.loadFormatter();
process.stdout.write(await formatter.format(results));
const clean = results.every((each) => each.errorCount + each.warningCount === 0);
process.exitCode = faults.length === 0 && clean ? 0 : 1;
