from time import perf_counter

import torch
import torch.nn.functional as F

q = torch.ones(1, 4, 64, 64)
times, warm_up = [], 5

for _ in range(warm_up + 31):
    begin = perf_counter()
    F.scaled_dot_product_attention(q, q, q)
    times.append(1000 * (perf_counter() - begin))
times = sorted(times[warm_up:])
median = times[len(times) // 2]
shown = [times[0], median, times[-1]]
print("least, median, largest in ms:", shown)
threads = torch.get_num_threads()
print(q.device, q.dtype, threads, "threads")
