import { operatorCommands } from '../../../../infra/admin/descriptions.ts';
import { commandHelp, helpText } from '../../../../infra/admin/help.ts';
import { textTable } from '../../../../infra/admin/text-table.ts';

it.each(operatorCommands)('the help of the program shows %s with an example', (name) => {
  expect(helpText()).toMatch(
    new RegExp(`^${name}: .+\\.\n  npm run --silent admin -- ${name} '\\{.*\\}'$`, 'm'),
  );
});

it.each(operatorCommands)('the help of %s has its fields and no Markdown', (name) => {
  const text = commandHelp(name);
  expect(text).toMatch(/^Field +Required +Value$/m);
  expect(text).not.toContain('`');
});

it('a table continues a value that is too long on the next line', () => {
  const table = textTable(['Field', 'Value'], [['name', `${'word '.repeat(12)}end`]]);
  expect(table.split('\n').slice(2)).toEqual([`name   ${'word '.repeat(12).trim()}`, '       end']);
});
