// Which file systems are reported as doubtful.
import t from 'tap';
import { doubtfulFileSystem, fileSystemWarnings, nameOfDoubtful } from '../../../persistence/files/folder-sync.js';

t.test('file systems that may lose durable data are known by name, whatever the sign of their number', async (t) => {
  const rows: [type: number, name: string | null][] = [
    [0x6969, 'nfs'],
    [0x794c7630, 'overlay'],
    [0xff534d42, 'cifs'],
    [0xff534d42 | 0, 'cifs'],
    [0xef53, null],
    [0x58465342, null],
  ];
  for (const [type, name] of rows) t.equal(nameOfDoubtful(type), name, type.toString(16));
});

t.test('memory is not doubtful: it need not be durable', { skip: process.platform !== 'linux' }, async (t) => {
  t.equal(await doubtfulFileSystem('/dev/shm'), null);
  t.same(await fileSystemWarnings('/dev/shm'), []);
});
