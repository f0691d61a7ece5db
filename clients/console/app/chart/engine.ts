/** The engine that lays charts out, in a worker: a large chart takes it longer than a page may stand still. */
import 'elkjs/lib/elk-worker.min.js'
