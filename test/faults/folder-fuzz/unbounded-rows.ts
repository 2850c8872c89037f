// Breaks the reader of rows on purpose: numbers from disk have no limits, so that a count leads to an unbounded walk. It is loaded into the
// opening process, before the program.
import { RowReader } from '../../../engine/rows/row.js';

const { integer } = RowReader.prototype;

RowReader.prototype.integer = function unbounded(name) {
  return integer.call(this, name);
};
