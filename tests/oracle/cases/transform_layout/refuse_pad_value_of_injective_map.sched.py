sch.transform_layout("C", "A", lambda i, j: [j, i], pad_value=0.0, assume_injective_transform=True)
