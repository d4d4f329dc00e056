// Reads the doc comments that are the text of the API reference: of the fields of inputs and views, of the handlers of
// routes, and of the values of enums.
import ts from 'typescript';

/** The parts of a program whose doc comments describe the API. */
const isDescribed = (file) =>
  !file.isDeclarationFile && !/\.spec\.ts$/.test(file.fileName) && !/node_modules/.test(file.fileName);

/**
 * @returns {import('@outreach/http-api/openapi').DocComments} the doc comments: of fields by the name of their class or
 *   view, of handlers as `Controller.handler`, of enums with those of their values
 */
export function docComments() {
  const { options, fileNames } = ts.getParsedCommandLineOfConfigFile(
    'tsconfig.build.json',
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail },
  );
  const program = ts.createProgram(fileNames, { ...options, noEmit: true, incremental: false });
  const checker = program.getTypeChecker();
  const found = { inputs: {}, views: {}, handlers: {}, enums: [] };
  const visit = (node) => {
    if (ts.isClassDeclaration(node) && node.name) addClass(node, checker, found);
    else if (ts.isCallExpression(node)) addShape(node, checker, found);
    else if (ts.isTypeAliasDeclaration(node)) addEnum(node, checker, found);
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles().filter(isDescribed)) visit(file);
  return found;
}

function addClass(node, checker, { inputs, handlers }) {
  const name = node.name.text;
  if (hasDecorator(node, 'Controller')) {
    for (const method of node.members.filter(ts.isMethodDeclaration)) {
      const text = textOf(checker.getSymbolAtLocation(method.name), checker);
      if (text) handlers[`${name}.${method.name.text}`] = text;
    }
    return;
  }
  const type = checker.getTypeAtLocation(node);
  if (hasDecorator(node, 'Entity')) return;
  const fields = type.getProperties().filter((property) => property.declarations?.some(isDecoratedField));
  if (fields.length > 0) inputs[name] = textsOf(fields, checker);
}

const isDecoratedField = (node) => ts.isPropertyDeclaration(node) && ts.getDecorators(node) !== undefined;

const hasDecorator = (node, name) =>
  (ts.getDecorators(node) ?? []).some(({ expression }) => (expression.expression ?? expression).text === name);

/** `view('Contact', { … })` and `is.shape('Schedule', { … })`. */
function addShape({ expression, arguments: [name, shape] }, checker, { views }) {
  const callee = expression.getText();
  if (!/^(view|is\.shape)$/.test(callee) || !name || !ts.isStringLiteral(name) || !shape) return;
  views[name.text] = textsOf(checker.getTypeAtLocation(shape).getProperties(), checker);
}

/**
 * `type ContactStatus = (typeof CONTACT_STATUSES)[number]`, with the comments of the array and of its elements; or
 * `type WaitReason = (typeof RULES)[number]['reason']`, with its own comment and those of this
 * property of the elements.
 */
function addEnum({ name, type }, checker, { enums }) {
  if (!ts.isIndexedAccessTypeNode(type)) return;
  const property = ts.isLiteralTypeNode(type.indexType) ? type.indexType.literal.text : undefined;
  const list = property === undefined ? type : type.objectType;
  if (!ts.isIndexedAccessTypeNode(list) || list.indexType.kind !== ts.SyntaxKind.NumberKeyword) return;
  const object = ts.isParenthesizedTypeNode(list.objectType) ? list.objectType.type : list.objectType;
  if (!ts.isTypeQueryNode(object)) return;
  const symbol = checker.getSymbolAtLocation(object.exprName);
  const [described, values] =
    property === undefined
      ? [resolved(symbol, checker), valuesOf(symbol, checker)]
      : [checker.getSymbolAtLocation(name), propertiesOf(symbol, property, checker)];
  if (values === undefined || values.includes(undefined)) return;
  enums.push({ name: name.text, text: textOf(described, checker), values });
}

/** The values of an array with their comments; undefined instead of a value that is not a literal. */
const valuesOf = (symbol, checker) =>
  arrayOf(symbol, checker)?.elements.flatMap((element) => {
    if (ts.isSpreadElement(element)) return valuesOf(checker.getSymbolAtLocation(element.expression), checker);
    const text = commentBefore(element);
    if (ts.isStringLiteral(element)) return [[element.text, text]];
    return [ts.isNumericLiteral(element) ? [Number(element.text), text] : undefined];
  });

/** The values of a property of the objects of an array, with the comments before it. */
const propertiesOf = (symbol, property, checker) =>
  arrayOf(symbol, checker)?.elements.map((element) => {
    const object = resolved(checker.getSymbolAtLocation(element), checker).valueDeclaration.initializer;
    const assigned = object.properties.find(({ name }) => name?.text === property);
    return assigned && [checker.getTypeAtLocation(assigned.initializer).value, commentBefore(assigned)];
  });

const resolved = (symbol, checker) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);

function arrayOf(symbol, checker) {
  let value = symbol && resolved(symbol, checker).valueDeclaration?.initializer;
  while (value && (ts.isAsExpression(value) || ts.isSatisfiesExpression(value))) value = value.expression;
  return value && ts.isArrayLiteralExpression(value) ? value : undefined;
}

function commentBefore(node) {
  const source = node.getSourceFile().text;
  const [range] = (ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []).slice(-1);
  return range
    ? plain(
        source
          .slice(range.pos, range.end)
          .replace(/^\/\*\*|\*\/$/g, '')
          .replace(/^\s*\* ?/gm, ''),
      )
    : '';
}

const textsOf = (symbols, checker) =>
  Object.fromEntries(symbols.map((symbol) => [symbol.name, textOf(symbol, checker)]).filter(([, text]) => text));

const textOf = (symbol, checker) => plain(ts.displayPartsToString(symbol?.getDocumentationComment(checker) ?? []));

/** Joins the lines of a paragraph, and leaves lists and paragraphs. */
const plain = (text) =>
  text
    .trim()
    .replace(/\n(?![\n-])(?<!\n\n)/g, ' ')
    .replace(/[ \t]+/g, ' ');

function fail({ messageText }) {
  throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
}
