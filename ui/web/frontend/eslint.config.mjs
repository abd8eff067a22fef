import hooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";

const TEXT = "Literal[value=/^[A-Z][a-z]|[a-z] [a-z]|[a-z][.:…]$/]";
const LABELS = "/^(aria-label|title|placeholder|alt|aria-valuetext)$/";
// Texts are said in the language of the page: shared/language.ts.
const BARE_TEXTS = [
  `CallExpression[callee.name=/^(el|note|figureHead|dataTable)$/] > ${TEXT}`, `Property[key.value=${LABELS}] > ${TEXT}`,
  `Property[key.name=${LABELS}] > ${TEXT}`,
  `JSXAttribute[name.name=${LABELS}] > ${TEXT}`, "JSXText[value=/[A-Za-z]{2}/]",
].map((selector) => ({ selector, message: "Say it: say(\"…\"), so that it is translated." }));

export default defineConfig(
  { ignores: ["bundle/", "build.mjs", "eslint.config.mjs", "lint.mjs"] },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { "react-hooks": hooks },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [{ from: "package", package: "node:test", name: "test" }] }],
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { number: true, string: true } }], // an empty text is none
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "react-hooks/exhaustive-deps": "error",
      "react-hooks/rules-of-hooks": "error",
    },
  },
  { files: ["src/**/*.ts", "src/**/*.tsx"], rules: { "no-restricted-syntax": ["error", ...BARE_TEXTS] } },
);
