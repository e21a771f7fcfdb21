import { fieldsOfCommand, operatorCommands } from '../../../../infra/admin/descriptions.ts';
import { commandHelp, helpText } from '../../../../infra/admin/help.ts';

it.each(operatorCommands)('the help of the program shows %s with an example', (name) => {
  expect(helpText()).toMatch(
    new RegExp(`^${name}: .+\\.\n  npm run --silent admin -- ${name} '\\{.*\\}'$`, 'm'),
  );
});

it.each(operatorCommands)('the help of %s has its fields and no Markdown', (name) => {
  const text = commandHelp(name);
  for (const { path } of fieldsOfCommand(name))
    expect(text).toMatch(new RegExp(`^${path}( \\(required\\))?: \\S`, 'm'));
  expect(text).not.toContain('`');
});
